// The largest total of a one-to-one matching of the rows of a table to its columns:
//     max over matchings w of sum_i N_(i, w(i)).
//
// Cost: O(k^2 l) for the two sides k <= l.
#pragma once

#include <limits>

#include "spans.hpp"

namespace sfumato {

// The Hungarian method with potentials, on the costs -N_ij (Kuhn 1955; shortest augmenting paths as
// in Jonker & Volgenant 1987).
class Matcher {
  public:
    std::int64_t largest_total(Ints table, std::size_t n_rows, std::size_t n_columns) {
        const bool wide = n_rows <= n_columns;
        const std::size_t k = wide ? n_rows : n_columns;
        const std::size_t l = wide ? n_columns : n_rows;
        const auto weight = [&](std::size_t i, std::size_t j) {
            return wide ? table[i * n_columns + j] : table[j * n_columns + i];
        };
        reset(k, l);
        for (std::size_t i = 1; i <= k; ++i) augment(i, l, weight);
        std::int64_t total = 0;
        for (std::size_t j = 1; j <= l; ++j) {
            if (row_of_[j] != 0) total += weight(row_of_[j] - 1, j - 1);
        }
        return total;
    }

  private:
    void reset(std::size_t k, std::size_t l) {
        row_potential_.assign(k + 1, 0);
        column_potential_.assign(l + 1, 0);
        row_of_.assign(l + 1, 0);  // 0: free; column 0 holds the row being placed
        previous_.assign(l + 1, 0);
    }

    // Gives `row` a column; rows placed before may change theirs.
    template <class Weight>
    void augment(std::size_t row, std::size_t l, const Weight& weight) {
        constexpr std::int64_t infinity = std::numeric_limits<std::int64_t>::max();
        row_of_[0] = row;
        slack_.assign(l + 1, infinity);
        visited_.assign(l + 1, false);
        std::size_t column = 0;
        do {
            visited_[column] = true;
            const std::size_t i = row_of_[column];
            std::int64_t step = infinity;
            std::size_t next = 0;
            for (std::size_t j = 1; j <= l; ++j) {
                if (visited_[j]) continue;
                const std::int64_t reduced =
                    -weight(i - 1, j - 1) - row_potential_[i] - column_potential_[j];
                if (reduced < slack_[j]) {
                    slack_[j] = reduced;
                    previous_[j] = column;
                }
                if (slack_[j] < step) {
                    step = slack_[j];
                    next = j;
                }
            }
            for (std::size_t j = 0; j <= l; ++j) {
                if (visited_[j]) {
                    row_potential_[row_of_[j]] += step;
                    column_potential_[j] -= step;
                } else if (slack_[j] != infinity) {
                    slack_[j] -= step;
                }
            }
            column = next;
        } while (row_of_[column] != 0);
        while (column != 0) {
            const std::size_t before = previous_[column];
            row_of_[column] = row_of_[before];
            column = before;
        }
    }

    std::vector<std::int64_t> row_potential_, column_potential_, slack_;
    std::vector<std::size_t> row_of_, previous_;
    std::vector<bool> visited_;
};

// For many tables of the same shape.
inline std::vector<std::int64_t> largest_matching(const Grid<std::int64_t, 3>& tables) {
    std::vector<std::int64_t> totals(tables.shape[0]);
    Matcher matcher;
    for (std::size_t t = 0; t < totals.size(); ++t) {
        totals[t] = matcher.largest_total(tables[t], tables.shape[1], tables.shape[2]);
    }
    return totals;
}

}  // namespace sfumato
