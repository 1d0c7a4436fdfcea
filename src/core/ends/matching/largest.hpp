// The largest matching over all compatible tables N of two rough clusterings:
//     max over N and over matchings w of sum_i N_(i, w(i)).
//
// Letters. A matching w gives every row i a column w(i) of its own. A matching covers an object
// if the object may be in some cell (i, w(i)).
// Cost: one assignment problem, O(k^2 l), per child of a node; at most max_nodes nodes.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "ends/found_end.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "spans.hpp"
#include "tables/largest_matching.hpp"

namespace sfumato {

// Objects of type t may be in any row of row_sets[t] and any column of column_sets[t]. Sets are bit
// masks.
struct SetTypes {
    Sets row_sets, column_sets;
    std::size_t n_rows, n_columns;

    bool allow(std::size_t t, std::size_t row, std::size_t column) const {
        return ((row_sets[t] >> row) & (column_sets[t] >> column) & 1U) != 0;
    }
    SetTypes flipped() const { return {column_sets, row_sets, n_columns, n_rows}; }
};

// For a given w the best table puts all covered objects into matched cells, so the matching that
// covers most objects is sought: depth first, row by row, the most promising column first.
//
// The rows still to come can cover at most (a) the objects not yet covered that have one of these
// rows and a free column, and at most (b) the best assignment in a table that counts an object in
// every cell it may take. If the columns are certain, (b) is exact and the first descent is the
// last.
class LargestMatching {
  public:
    explicit LargestMatching(const SetTypes& types)
        : is_wide_(types.n_rows <= types.n_columns), types_(is_wide_ ? types : types.flipped()) {
        const std::size_t k = types_.n_rows;
        partner_.resize(k);
        best_partner_.resize(k);
        open_.resize(k + 1);
        children_.resize(k);
        possible_.reserve(k * types_.n_columns);
    }

    FoundEnd<std::int64_t> solve(Ints counts, const Limits& limits) {
        counts_ = counts;
        limits_ = &limits;
        nodes_left_ = limits.max_nodes;
        best_ = left_open_ = -1;
        open_[0].clear();
        for (std::size_t t = 0; t < counts.size(); ++t) {
            if (counts[t] > 0) open_[0].push_back(t);
        }
        descend(0, all_columns(), 0);
        return {table(), best_, std::max(best_, left_open_)};
    }

  private:
    struct Child {
        std::int64_t covered;
        std::int64_t bound;
        std::size_t column;
    };

    static std::size_t first_of(std::uint32_t set) {
        return static_cast<std::size_t>(std::countr_zero(set));
    }

    std::uint32_t all_columns() const { return ~std::uint32_t{0} >> (32 - types_.n_columns); }
    std::uint32_t rows_after(std::size_t row) const {  // a shift by 32 is undefined
        return row + 1 < 32 ? ~std::uint32_t{0} << (row + 1) : 0;
    }

    // Rows before `row` have their columns. open_[row] lists the types that these do not cover.
    void descend(std::size_t row, std::uint32_t free, std::int64_t covered) {
        if (row == types_.n_rows) {
            if (covered > best_) {
                best_ = covered;
                best_partner_ = partner_;
            }
            return;
        }
        auto& children = children_[row];
        children.clear();
        for (std::uint32_t rest = free; rest != 0; rest &= rest - 1) {
            children.push_back(look_at(row, free, covered, first_of(rest)));
        }
        std::stable_sort(children.begin(), children.end(),
                         [](const Child& a, const Child& b) { return a.bound > b.bound; });
        for (const Child& child : children) {
            if (child.bound <= best_) return;
            allow_interrupt();
            if (limits_->is_late()) nodes_left_ = 0;
            if (best_ >= 0 && nodes_left_ <= 0) {  // the first descent is never cut short
                left_open_ = std::max(left_open_, child.bound);
                return;
            }
            --nodes_left_;
            partner_[row] = child.column;
            open_[row + 1].clear();
            for (const std::size_t t : open_[row]) {
                if (!types_.allow(t, row, child.column)) open_[row + 1].push_back(t);
            }
            descend(row + 1, free & ~(std::uint32_t{1} << child.column), child.covered);
        }
    }

    Child look_at(std::size_t row, std::uint32_t free, std::int64_t covered, std::size_t column) {
        const std::size_t first_row = row + 1, n_ahead = types_.n_rows - first_row;
        const std::uint32_t free_ahead = free & ~(std::uint32_t{1} << column);
        const auto n_free = static_cast<std::size_t>(std::popcount(free_ahead));
        possible_.assign(n_ahead * n_free, 0);
        std::int64_t within_reach = 0;
        for (const std::size_t t : open_[row]) {
            if (types_.allow(t, row, column)) {
                covered += counts_[t];
                continue;
            }
            const std::uint32_t rows = types_.row_sets[t] & rows_after(row);
            const std::uint32_t columns = types_.column_sets[t] & free_ahead;
            if (rows == 0 || columns == 0) continue;
            within_reach += counts_[t];
            for (std::uint32_t left = rows; left != 0; left &= left - 1) {
                const std::size_t start = (first_of(left) - first_row) * n_free;
                for (std::uint32_t below = columns; below != 0; below &= below - 1) {
                    // Position of the column among the free ones.
                    const std::uint32_t before = ~below & (below - 1);
                    possible_[start + static_cast<std::size_t>(
                                          std::popcount(free_ahead & before))] += counts_[t];
                }
            }
        }
        const std::int64_t assigned =
            within_reach == 0 ? 0 : matcher_.largest_total(possible_, n_ahead, n_free);
        return {covered, covered + std::min(within_reach, assigned), column};
    }

    // Covered objects go to a matched cell, the others to their first cell.
    std::vector<std::int64_t> table() const {
        const std::size_t k = types_.n_rows, l = types_.n_columns;
        std::vector<std::int64_t> table(k * l, 0);
        const auto put = [&](std::size_t i, std::size_t j, std::int64_t count) {
            table[is_wide_ ? i * l + j : j * k + i] += count;
        };
        for (const std::size_t t : open_[0]) {
            std::size_t i = first_of(types_.row_sets[t]), j = first_of(types_.column_sets[t]);
            for (std::size_t row = 0; row < k; ++row) {
                if (types_.allow(t, row, best_partner_[row])) i = row, j = best_partner_[row];
            }
            put(i, j, counts_[t]);
        }
        return table;
    }

    bool is_wide_;
    SetTypes types_;  // no more rows than columns
    Matcher matcher_;
    Ints counts_;
    const Limits* limits_ = nullptr;
    std::int64_t nodes_left_ = 0, best_ = -1, left_open_ = -1;
    std::vector<std::size_t> partner_, best_partner_;
    std::vector<std::vector<std::size_t>> open_;
    std::vector<std::vector<Child>> children_;
    std::vector<std::int64_t> possible_;
};

inline auto largest_match(Sets row_sets, Sets column_sets, const IntGrid& counts,
                          std::size_t n_rows, std::size_t n_columns, std::int64_t max_nodes,
                          double max_seconds, Flag stop) {
    FoundEnds<std::int64_t> found(counts.shape[0], n_rows * n_columns);
    const Limits limits(max_nodes, max_seconds, stop.data());
    LargestMatching search({row_sets, column_sets, n_rows, n_columns});
    for (std::size_t b = 0; b < counts.shape[0]; ++b) found.set(b, search.solve(counts[b], limits));
    return std::move(found).in_shape(n_rows, n_columns);
}

}  // namespace sfumato
