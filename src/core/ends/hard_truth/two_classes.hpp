// The far end of Rand against a hard truth of two classes: the largest value of
//     sum_i R_i^2 - 2 sum_ij N_ij^2 = -|v - w|^2, where v and w are the two columns.
//
// Cost: O(k 2^k) for v - w, then a flow between the k rows. Gain over far.hpp: 4 times at three
// rows; with five rows and 150 objects 7 us instead of half a second, and closed.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "ends/hard_truth/best_column.hpp"
#include "ends/hard_truth/found.hpp"
#include "ends/hard_truth/ranks.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

// The differences v - w are the whole points of the base polytope of F_1(S) + F_2(all - S) -
// F_2(all). The decomposition of best_column.hpp finds the shortest one, and a flow splits it into
// v and w.
class TwoClasses {
  public:
    explicit TwoClasses(int k)
        : k_(k), shortest_(ExactSquare{}, k), difference_(std::size_t{1} << k) {}

    Found<std::int64_t> solve(const Ranks& ranks) {
        const Set all = ranks.all();
        for (Set s = 0; s <= all; ++s) {
            difference_[s] = ranks[0][s] + ranks[1][all ^ s] - ranks[1][all];
        }
        Slopes<std::int64_t, most_rows> flat{};
        PerRow<Count, most_rows> wanted{};
        shortest_.point(difference_.data(), flat, wanted.data());
        place(ranks, wanted);
        std::int64_t value = 0;
        for (int i = 0; i < k_; ++i) value -= wanted[i] * wanted[i];
        return {value, value, table_};
    }

  private:
    using Rows = PerRow<Count, most_rows>;
    struct Type {
        std::size_t column;
        Set rows;
        Rows placed;  // its objects, by row
    };

    // Moves objects between rows along shortest paths until v - w is as wanted (Edmonds & Karp
    // 1972).
    void place(const Ranks& ranks, const Rows& wanted) {
        types_.clear();
        Rows excess{};
        for (int i = 0; i < k_; ++i) excess[i] = -wanted[i];
        ranks.each_type([&](std::size_t column, Set rows, Count count) {
            const int first = std::countr_zero(rows);
            types_.push_back({column, rows, {}});
            types_.back().placed[first] = count;
            excess[first] += column == 0 ? count : -count;
        });
        while (push(excess)) {
        }
        const auto k = static_cast<std::size_t>(k_);
        table_.assign(2 * k, 0);
        for (const Type& type : types_) {
            for (std::size_t i = 0; i < k; ++i) table_[type.column * k + i] += type.placed[i];
        }
    }

    // How much of v - w this type can take from one row to another: objects of the first class
    // leave `from`, objects of the second class enter it.
    static Count movable(const Type& type, int from, int to) {
        const Set both = (Set{1} << from) | (Set{1} << to);
        if ((type.rows & both) != both) return 0;
        return type.placed[type.column == 0 ? from : to];
    }

    Count capacity(int from, int to) const {
        Count sum = 0;
        for (const Type& type : types_) sum += movable(type, from, to);
        return sum;
    }

    void move(int from, int to, Count amount) {
        for (Type& type : types_) {
            const Count part = std::min(amount, movable(type, from, to));
            if (part == 0) continue;
            const bool leaves = type.column == 0;
            type.placed[leaves ? from : to] -= part;
            type.placed[leaves ? to : from] += part;
            amount -= part;
        }
    }

    // Pushes along one path from a row where v - w is too large to one where it is too small. False
    // if there is none.
    bool push(Rows& excess) {
        constexpr int unseen = -2, source = -1;
        std::array<int, most_rows> queue, previous;
        Rows reach{};
        previous.fill(unseen);
        int head = 0, tail = 0;
        for (int i = 0; i < k_; ++i) {
            if (excess[i] <= 0) continue;
            previous[i] = source;
            reach[i] = excess[i];
            queue[tail++] = i;
        }
        while (head < tail) {
            const int from = queue[head++];
            for (int to = 0; to < k_; ++to) {
                if (previous[to] != unseen) continue;
                const Count amount = std::min(reach[from], capacity(from, to));
                if (amount == 0) continue;
                previous[to] = from;
                reach[to] = amount;
                queue[tail++] = to;
                if (excess[to] < 0) {
                    augment(excess, previous, to, std::min(amount, -excess[to]));
                    return true;
                }
            }
        }
        return false;
    }

    void augment(Rows& excess, const std::array<int, most_rows>& previous, int to, Count amount) {
        excess[to] += amount;
        for (; previous[to] >= 0; to = previous[to]) move(previous[to], to, amount);
        excess[to] -= amount;
    }

    int k_;
    BestColumn<ExactSquare, most_rows> shortest_;
    std::vector<Count> difference_, table_;
    std::vector<Type> types_;
};

}  // namespace sfumato::hard_truth
