// Rows of probabilities as they come from the user: copied, checked and summed in one pass.
//
// Cost: O(number of entries).
#pragma once

#include <cmath>
#include <limits>

#include "spans.hpp"

namespace sfumato {

// Where rows begin and end: at `starts`, or every `width` entries if there are none.
struct RowBounds {
    Ints starts;
    std::size_t width;

    std::size_t count(std::size_t n_entries) const {
        return starts.empty() ? n_entries / width : starts.size() - 1;
    }
    std::size_t begin(std::size_t row) const {
        return starts.empty() ? row * width : static_cast<std::size_t>(starts[row]);
    }
};

struct RowSummary {
    bool has_bad_entry = false;  // not finite, negative or above the largest allowed
    std::int64_t lowest_row = 0;
    double lowest_sum = std::numeric_limits<double>::infinity();
    std::int64_t highest_row = 0;
    double highest_sum = -std::numeric_limits<double>::infinity();
    std::int64_t n_off = 0;  // rows whose sum differs from one by more than `rounding`
};

// `out` may be `values` itself. Negative zeros become zeros.
template <class T>
RowSummary copy_rows(std::span<const T> values, Ints starts, std::size_t width, double largest,
                     double rounding, std::span<double> out) {
    RowSummary found;
    const RowBounds bounds{starts, width};
    for (std::size_t row = 0, n_rows = bounds.count(values.size()); row < n_rows; ++row) {
        const std::size_t end = bounds.begin(row + 1);
        double sum = 0.0;
        bool is_good = true;
        for (std::size_t at = bounds.begin(row); at < end; ++at) {
            const double value = static_cast<double>(values[at]) + 0.0;
            is_good &= value >= 0.0 && value <= largest;  // false for a NaN
            sum += value;
            out[at] = value;
        }
        found.has_bad_entry |= !is_good;
        found.n_off += std::abs(sum - 1.0) > rounding;
        if (sum < found.lowest_sum) {
            found.lowest_sum = sum;
            found.lowest_row = static_cast<std::int64_t>(row);
        }
        if (sum > found.highest_sum) {
            found.highest_sum = sum;
            found.highest_row = static_cast<std::int64_t>(row);
        }
    }
    return found;
}

// Divides the rows whose sums differ from one by more than `rounding` by their sums.
inline void rescale_rows(std::span<double> values, Ints starts, std::size_t width,
                         double rounding) {
    const RowBounds bounds{starts, width};
    for (std::size_t row = 0, n_rows = bounds.count(values.size()); row < n_rows; ++row) {
        const std::size_t begin = bounds.begin(row), end = bounds.begin(row + 1);
        double sum = 0.0;
        for (std::size_t at = begin; at < end; ++at) sum += values[at];
        if (!(std::abs(sum - 1.0) > rounding)) continue;
        for (std::size_t at = begin; at < end; ++at) values[at] /= sum;
    }
}

}  // namespace sfumato
