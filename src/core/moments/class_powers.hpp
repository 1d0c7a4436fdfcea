// Power sums of memberships by the classes of a hard partition, in one pass over rows as they come:
// checked, divided by their sums and added up, without a copy.
//
// Letters. p_i(x): the membership of object x in cluster i, j(x): its class. For each class, each
// power r from 1 to `order` and each cluster: the sum of p_i(x)^r over the objects of the class.
// Cost: O(n k order).
#pragma once

#include <algorithm>
#include <cmath>

#include "clones.hpp"
#include "interrupt.hpp"
#include "moments/pair_sums.hpp"
#include "spans.hpp"

namespace sfumato {

// Entry i of row x is columns[i][x * stride]: columns side by side, or the entries of each row.
template <class T>
struct ColumnViews {
    std::vector<const T*> columns;
    std::size_t stride;
    std::size_t n_rows;

    std::size_t width() const { return columns.size(); }
};

struct ClassPowers {
    NewGrid<double, 3> sums;     // (classes, order, k)
    bool has_bad_entry = false;  // not finite, negative or above the largest allowed
    double worst = 0.0;          // distance of a sum of a row from 1
    std::int64_t n_off = 0;      // rows whose sum differs from 1 by more than rounding
};

struct RowLimits {
    double largest;   // an entry above is bad
    double rounding;  // a sum within stays as it is
};

// Adds the powers of the m rows of a tile to `sums`.
SFUMATO_CLONES inline void add_tile(double* tile, const std::int64_t* classes, std::size_t m,
                                    std::size_t k, std::size_t order, const RowLimits& limits,
                                    double* sums, ClassPowers& found) {
    for (std::size_t x = 0; x < m; ++x) {
        double* __restrict row = tile + x * k;
        double lanes[4] = {0.0, 0.0, 0.0, 0.0};  // a fixed order, whatever the registers
        double lowest = 0.0, highest = 0.0;
        std::size_t i = 0;
        for (; i + 4 <= k; i += 4) {
            for (std::size_t lane = 0; lane < 4; ++lane) lanes[lane] += row[i + lane];
        }
        for (; i < k; ++i) lanes[0] += row[i];
        for (i = 0; i < k; ++i) {
            lowest = row[i] < lowest ? row[i] : lowest;
            highest = row[i] > highest ? row[i] : highest;
        }
        const double sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
        const double off = std::abs(sum - 1.0);
        // A NaN or an infinity is seen in the sum.
        found.has_bad_entry |= !(off <= 1e300) || lowest < 0.0 || highest > limits.largest;
        found.worst = std::max(found.worst, off);
        if (off > limits.rounding) {
            ++found.n_off;
            const double inverse = 1.0 / sum;
            for (i = 0; i < k; ++i) row[i] *= inverse;
        }
        double* __restrict to = sums + static_cast<std::size_t>(classes[x]) * order * k;
        double power[64];
        for (std::size_t first = 0; first < k; first += 64) {
            const std::size_t width = std::min<std::size_t>(64, k - first);
            for (i = 0; i < width; ++i) power[i] = row[first + i];
            for (std::size_t r = 0;;) {
                double* __restrict own = to + r * k + first;
                for (i = 0; i < width; ++i) own[i] += power[i];
                if (++r == order) break;
                for (i = 0; i < width; ++i) power[i] *= row[first + i];
            }
        }
    }
}

template <class T>
ClassPowers class_powers(const ColumnViews<T>& rows, Ints classes, std::size_t n_classes,
                         std::size_t order, const RowLimits& limits) {
    const std::size_t k = rows.width(), size = n_classes * order * k;
    constexpr std::size_t tile_rows = 64;
    ClassPowers found{{std::vector<double>(size), {n_classes, order, k}}};
    std::vector<double> block(size), tile(tile_rows * k);
    const std::size_t step = std::max(rows_per_block, (n_classes * k + 63) / 64 * 64);
    for (std::size_t first = 0; first < rows.n_rows; first += step) {
        allow_interrupt();
        const std::size_t last = std::min(rows.n_rows, first + step);
        for (std::size_t at = first; at < last; at += tile_rows) {
            const std::size_t m = std::min(tile_rows, last - at);
            for (std::size_t i = 0; i < k; ++i) {
                const T* from = rows.columns[i] + at * rows.stride;
                for (std::size_t x = 0; x < m; ++x) {
                    tile[x * k + i] = static_cast<double>(from[x * rows.stride]);
                }
            }
            add_tile(tile.data(), classes.data() + at, m, k, order, limits, block.data(), found);
        }
        move_into(block, found.sums.values);
    }
    return found;
}

}  // namespace sfumato
