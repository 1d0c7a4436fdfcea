// Sums over pairs of objects whose clusters are drawn independently: what the mean and the variance
// of the three pair counts (same row, same column, same cell) need.
//
// Letters. p_i, q_j: probabilities of row i and column j for an object x. Objects x and y share a
// row with probability a_xy = sum_i p_i(x) p_i(y), and a column with probability b_xy. Sums over
// pairs are found from sums over single objects, because a_xy^s b_xy^t is an inner product.
// Cost: O(n k l) for dense rows, O(entries of both rows) per object for sparse ones.
#pragma once

#include <algorithm>
#include <array>

#include "clones.hpp"
#include "interrupt.hpp"
#include "spans.hpp"
#include "tables/probability_rows.hpp"

namespace sfumato {

// Blocks of rows are summed first, so rounding grows with the number of blocks only.
inline constexpr std::size_t rows_per_block = 1024;

// R_i = sum_x p_i, C_j = sum_x q_j, W_ij = sum_x p_i q_j, and the sums over x of a_xx, b_xx and
// a_xx b_xx.
struct PairSums {
    std::vector<double> rows, columns;
    NewGrid<double> cells;
    std::array<double, 3> squares{};
};

// Adds p_i q_j to cells, for the objects from `first` to `last`.
template <class A, class B>
void add_products(const A& a, const B& b, std::size_t first, std::size_t last, double* cells) {
    for (std::size_t x = first; x < last; ++x) {
        if (x % rows_per_block == 0) allow_interrupt();
        a.each(x, [&](std::size_t i, double p) {
            double* own = cells + i * b.width;
            b.each(x, [&](std::size_t j, double q) { own[j] += p * q; });
        });
    }
}

// table[i][j] += sum over eight rows of u[i] v[j]. Vector instructions run over j and every sum
// keeps its order.
SFUMATO_CLONES inline void add_eight(const double* u, std::size_t height, const double* v,
                                     std::size_t width, double* table) {
    for (std::size_t i = 0; i < height; ++i) {
        std::array<double, 8> own;
        for (std::size_t row = 0; row < 8; ++row) own[row] = u[row * height + i];
        double* __restrict to = table + i * width;  // no row lies in the table
        for (std::size_t j = 0; j < width; ++j) {
            double sum = 0.0;
            for (std::size_t row = 0; row < 8; ++row) sum += own[row] * v[row * width + j];
            to[j] += sum;
        }
    }
}

// Eight rows at a time: every cell is read and written once for all of them.
inline void add_products(const DenseRows& a, const DenseRows& b, std::size_t first,
                         std::size_t last, double* cells) {
    std::size_t x = first;
    for (; x + 8 <= last; x += 8) {
        if (x % rows_per_block == 0) allow_interrupt();
        add_eight(a.row(x), a.width, b.row(x), b.width, cells);
    }
    for (; x < last; ++x) {
        for (std::size_t i = 0; i < a.width; ++i) {
            for (std::size_t j = 0; j < b.width; ++j) {
                cells[i * b.width + j] += a.row(x)[i] * b.row(x)[j];
            }
        }
    }
}

// Adds row x to `sums` and returns its sum of squares.
template <class Rows>
double add_row(const Rows& rows, std::size_t x, double* sums) {
    double square = 0.0;
    rows.each(x, [&](std::size_t i, double p) {
        sums[i] += p;
        square += p * p;
    });
    return square;
}

inline double add_row(const DenseRows& rows, std::size_t x, double* sums) {
    const double* own = rows.row(x);
    double* __restrict to = sums;
    double even = 0.0, odd = 0.0;
    std::size_t i = 0;
    for (; i + 2 <= rows.width; i += 2) {
        to[i] += own[i];
        to[i + 1] += own[i + 1];
        even += own[i] * own[i];
        odd += own[i + 1] * own[i + 1];
    }
    for (; i < rows.width; ++i) {
        to[i] += own[i];
        even += own[i] * own[i];
    }
    return even + odd;
}

inline void move_into(std::vector<double>& block, std::vector<double>& total) {
    for (std::size_t at = 0; at < total.size(); ++at) total[at] += block[at];
    std::ranges::fill(block, 0.0);
}

template <class A, class B>
PairSums pair_sums(const A& a, const B& b) {
    PairSums total{std::vector<double>(a.width),
                   std::vector<double>(b.width),
                   {std::vector<double>(a.width * b.width), {a.width, b.width}}};
    PairSums block = total;
    // With many cells a block has more rows: else adding blocks would take most of the time.
    const std::size_t step = std::max(rows_per_block, a.width * b.width);
    for (std::size_t first = 0; first < a.size(); first += step) {
        const std::size_t last = std::min(a.size(), first + step);
        std::array<double, 3> squares{};
        for (std::size_t x = first; x < last; ++x) {
            const double in_a = add_row(a, x, block.rows.data());
            const double in_b = add_row(b, x, block.columns.data());
            squares[0] += in_a;
            squares[1] += in_b;
            squares[2] += in_a * in_b;
        }
        add_products(a, b, first, last, block.cells.values.data());
        for (std::size_t s = 0; s < 3; ++s) total.squares[s] += squares[s];
        move_into(block.rows, total.rows);
        move_into(block.columns, total.columns);
        move_into(block.cells.values, total.cells.values);
    }
    return total;
}

// The entries of one row that are not zero.
struct Entries {
    std::vector<std::size_t> columns;
    std::vector<double> values;
    double square = 0.0;  // sum of squares
    double unsure = 0.0;  // sum of all but the largest

    template <class Rows>
    void load(const Rows& rows, std::size_t x) {
        columns.clear();
        values.clear();
        square = 0.0;
        rows.each(x, [&](std::size_t i, double p) {
            if (p == 0.0) return;
            columns.push_back(i);
            values.push_back(p);
            square += p * p;
        });
        const auto top = std::ranges::max_element(values);
        unsure = 0.0;
        for (auto at = values.begin(); at != values.end(); ++at) unsure += at == top ? 0.0 : *at;
    }
    std::size_t size() const { return values.size(); }
};

// A symmetric 3 x 3 matrix over the pair counts "same row", "same column" and "same cell".
using PairMatrix = std::array<double, 9>;

inline void add_symmetric(PairMatrix& to, std::size_t s, std::size_t t, double value) {
    to[3 * s + t] += value;
    if (s != t) to[3 * t + s] += value;
}

// Sums over single objects that the covariances of the three pair counts need. s and t: which pair
// counts. w_s: p_i, q_j or p_i q_j.
struct ObjectSums {
    PairMatrix linear{};    // covariances of g_s and g_t, see ObjectTerms
    PairMatrix crossed{};   // sum_ij w_s w_t (W_ij - p_i q_j)
    PairMatrix diagonal{};  // d_s d_t, where d is (a_xx, b_xx, a_xx b_xx)
    double unsure = 0.0;    // sum over objects of one minus the largest cell probability
    double unsure_squares = 0.0;

    void add(const ObjectSums& block) {
        for (std::size_t at = 0; at < 9; ++at) {
            linear[at] += block.linear[at];
            crossed[at] += block.crossed[at];
            diagonal[at] += block.diagonal[at];
        }
        unsure += block.unsure;
        unsure_squares += block.unsure_squares;
    }
};

// One object at a time. If it is in cell (i, j), the mean number of other objects in its row is
// g_row(i) = R_i - p_i, in its column g_column(j) = C_j - q_j, in its cell g_cell(i, j) = W_ij -
// p_i q_j.
class ObjectTerms {
  public:
    ObjectTerms(Floats rows, Floats columns, Floats cells)
        : rows_(rows), columns_(columns), cells_(cells) {}

    template <class A, class B>
    void add(const A& a, const B& b, std::size_t x, ObjectSums& sums) {
        p_.load(a, x);
        q_.load(b, x);
        find_cells();
        add_margin(p_, rows_, by_row_, 0, sums);
        add_margin(q_, columns_, by_column_, 1, sums);
        double linear = 0.0, crossed = 0.0;
        for (std::size_t s = 0; s < p_.size(); ++s) {
            for (std::size_t t = 0; t < q_.size(); ++t) {
                const double w = p_.values[s] * q_.values[t], g = g_cell_[s * q_.size() + t];
                linear += w * (g - mean_) * (g - mean_);
                crossed += w * w * g;
            }
        }
        add_symmetric(sums.linear, 2, 2, linear);
        add_symmetric(sums.crossed, 2, 2, crossed);
        add_diagonal(sums);
    }

  private:
    void find_cells() {
        g_cell_.resize(p_.size() * q_.size());
        by_row_.assign(p_.size(), 0.0);
        by_column_.assign(q_.size(), 0.0);
        mean_ = 0.0;
        for (std::size_t s = 0; s < p_.size(); ++s) {
            const double p = p_.values[s];
            const double* own = cells_.data() + p_.columns[s] * columns_.size();
            for (std::size_t t = 0; t < q_.size(); ++t) {
                const double q = q_.values[t];
                const double g = own[q_.columns[t]] - p * q;
                g_cell_[s * q_.size() + t] = g;
                by_row_[s] += q * g;
                by_column_[t] += p * g;
            }
            mean_ += p * by_row_[s];
        }
    }

    // Adds pair count 0 (rows) or 1 (columns) with itself and with the cells. The row and the
    // column of an object are independent, so the two have no covariance.
    void add_margin(const Entries& own, Floats totals, const std::vector<double>& cell_means,
                    std::size_t which, ObjectSums& sums) const {
        double mean = 0.0;
        for (std::size_t s = 0; s < own.size(); ++s) {
            mean += own.values[s] * (totals[own.columns[s]] - own.values[s]);
        }
        double alone = 0.0, with_cells = 0.0, crossed = 0.0, crossed_cells = 0.0;
        for (std::size_t s = 0; s < own.size(); ++s) {
            const double p = own.values[s], g = totals[own.columns[s]] - p;
            alone += p * (g - mean) * (g - mean);
            with_cells += p * (g - mean) * (cell_means[s] - mean_);
            crossed += p * p * g;
            crossed_cells += p * p * cell_means[s];
        }
        add_symmetric(sums.linear, which, which, alone);
        add_symmetric(sums.linear, which, 2, with_cells);
        add_symmetric(sums.crossed, which, which, crossed);
        add_symmetric(sums.crossed, which, 2, crossed_cells);
    }

    void add_diagonal(ObjectSums& sums) const {
        const std::array<double, 3> own{p_.square, q_.square, p_.square * q_.square};
        for (std::size_t s = 0; s < 3; ++s) {
            for (std::size_t t = 0; t < 3; ++t) sums.diagonal[3 * s + t] += own[s] * own[t];
        }
        const double unsure = p_.unsure + q_.unsure - p_.unsure * q_.unsure;
        sums.unsure += unsure;
        sums.unsure_squares += unsure * unsure;
    }

    Floats rows_, columns_, cells_;
    Entries p_, q_;
    std::vector<double> g_cell_, by_row_, by_column_;  // g_cell and its conditional means
    double mean_ = 0.0;                                // mean of g_cell
};

template <class A, class B>
ObjectSums object_sums(const A& a, const B& b, Floats rows, Floats columns,
                       const FloatGrid& cells) {
    ObjectSums total;
    ObjectTerms terms(rows, columns, cells.values);
    for (std::size_t first = 0; first < a.size(); first += rows_per_block) {
        allow_interrupt();
        ObjectSums block;
        const std::size_t last = std::min(a.size(), first + rows_per_block);
        for (std::size_t x = first; x < last; ++x) terms.add(a, b, x, block);
        total.add(block);
    }
    return total;
}

}  // namespace sfumato
