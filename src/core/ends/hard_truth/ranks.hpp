// A rough clustering against a hard truth, as one set function per class j:
//     F_j(S) = number of objects of class j whose set of rows meets S.
// Column j of a compatible table is any whole v >= 0 with v(S) <= F_j(S) for all sets of rows S
// and v(all) = F_j(all). These v are the whole points of the base polytope of F_j (Edmonds 1970).
//
// Letters. t, k, l: numbers of types, rows and classes. S: a set of rows as a bit mask.
// Cost: O(t + l k 2^k) for the counts of one instance.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

using Set = std::uint32_t;  // of rows, as a bit mask

// f[S] first counts the objects whose set is S, then those whose set lies within S; at the end
// it is F(S) = F(all) - number of objects whose set lies outside S.
inline void to_rank(Count* f, Set all) {
    for (Set bit = 1; bit <= all; bit <<= 1) {
        for (Set s = 0; s <= all; ++s) {
            if (s & bit) f[s] += f[s ^ bit];
        }
    }
    const Count size = f[all];
    for (Set s = 0; s <= all / 2; ++s) {
        const Count inside = f[s];
        f[s] = size - f[all ^ s];
        f[all ^ s] = size - inside;
    }
}

// Classes without objects are left out: a column is a position among the others, label(column) its
// class.
class Ranks {
  public:
    Ranks(std::span<const std::uint32_t> row_sets, Ints classes, int k, std::size_t n_columns)
        : row_sets_(row_sets),
          classes_(classes),
          k_(k),
          position_(n_columns),
          ranks_(n_columns << k),
          sizes_(n_columns) {}

    // Takes the counts of the types of one instance.
    void load(std::span<const Count> counts) {
        sizes_.assign(sizes_.size(), 0);
        for (std::size_t t = 0; t < counts.size(); ++t) {
            sizes_[static_cast<std::size_t>(classes_[t])] += counts[t];
        }
        labels_.clear();
        total_ = 0;
        for (std::size_t j = 0; j < sizes_.size(); ++j) {
            if (sizes_[j] == 0) continue;
            position_[j] = labels_.size();
            labels_.push_back(j);
            total_ += sizes_[j];
        }
        counts_ = counts;
        std::fill_n(ranks_.begin(), labels_.size() << k_, 0);
        for (std::size_t t = 0; t < counts.size(); ++t) {
            if (counts[t] != 0) ranks_[(column_of(t) << k_) + row_sets_[t]] += counts[t];
        }
        for (std::size_t j = 0; j < labels_.size(); ++j) to_rank(ranks_.data() + (j << k_), all());
    }

    Set all() const { return (Set{1} << k_) - 1; }
    std::size_t n_columns() const { return labels_.size(); }
    Count total() const { return total_; }
    const Count* operator[](std::size_t column) const { return ranks_.data() + (column << k_); }
    std::size_t label(std::size_t column) const { return labels_[column]; }

    // Whether both have classes of the same sizes, and few objects have other sets of rows.
    bool is_like(const Ranks& other) const {
        if (labels_ != other.labels_) return false;
        const std::size_t n_sets = std::size_t{1} << k_;
        Count left = total_ / unlike_share;
        for (std::size_t at = 0; at < labels_.size() * n_sets; at += n_sets) {
            const Count *own = ranks_.data() + at, *others = other.ranks_.data() + at;
            if (own[all()] != others[all()]) return false;
            Count most = 0;
            for (std::size_t s = 0; s < n_sets; ++s) {
                most = std::max(most, std::abs(own[s] - others[s]));
            }
            left -= most;
            if (left < 0) return false;
        }
        return true;
    }

    // Visits the types: visit(column, set of rows, count).
    template <class Visit>
    void each_type(const Visit& visit) const {
        for (std::size_t t = 0; t < counts_.size(); ++t) {
            if (counts_[t] != 0) visit(column_of(t), row_sets_[t], counts_[t]);
        }
    }

  private:
    static constexpr Count unlike_share = 10;  // with more objects that differ, each has its search

    std::size_t column_of(std::size_t type) const {
        return position_[static_cast<std::size_t>(classes_[type])];
    }

    std::span<const std::uint32_t> row_sets_;
    Ints classes_;
    std::span<const Count> counts_;
    int k_;
    Count total_ = 0;
    std::vector<std::size_t> labels_, position_;  // class of each column, and back
    std::vector<Count> ranks_, sizes_;
};

}  // namespace sfumato::hard_truth
