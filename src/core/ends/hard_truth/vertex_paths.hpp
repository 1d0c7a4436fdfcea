// Vertices of the base polytope of F as paths from the empty set to the set of all rows. The vertex
// of the order i_1, i_2, ... has v_i = F(S + i) - F(S), where S are the rows before i: every row
// takes as many objects as it can (Edmonds 1970).
//
// So sum_i cost(i, v_i) is the length of a path, and the cheapest of the k! vertices is a shortest
// path. Cost: O(k 2^k).
#pragma once

#include "ends/hard_truth/ranks.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

// Costs must have cost(i, 0) = 0.
template <class Number, int K>
class VertexPaths {
  public:
    explicit VertexPaths(int k) : k_(k), to_go_(std::size_t{1} << k), next_(std::size_t{1} << k) {}

    // The smallest sum_i cost(i, v_i) over the vertices, and a vertex v that attains it.
    template <class Cost>
    Number cheapest(const Count* f, const Cost& cost, Count* v) {
        const Set all = (Set{1} << k_) - 1;
        to_go_[all] = 0;
        for (Set s = all; s-- > 0;) {
            Number best{};
            int first = -1;
            for (int i = 0; i < k_; ++i) {
                const Set with = s | (Set{1} << i);
                if (with == s) continue;
                const Number length = cost(i, f[with] - f[s]) + to_go_[with];
                if (first < 0 || length < best) {
                    best = length;
                    first = i;
                }
            }
            to_go_[s] = best;
            next_[s] = static_cast<std::int8_t>(first);
        }
        for (Set s = 0; s != all;) {
            const int i = next_[s];
            const Set with = s | (Set{1} << i);
            v[i] = f[with] - f[s];
            s = with;
        }
        return to_go_[0];
    }

    // Calls visit(v) for every vertex that costs less than `limit`, for some more than once, until
    // visit returns false. Call cheapest() with the same F and cost before.
    template <class Cost, class Visit>
    bool each_below(const Count* f, const Cost& cost, Number limit, const Visit& visit) const {
        PerRow<Count, K> v{};
        return extend(f, cost, limit, visit, v, 0, -1);
    }

  private:
    template <class Cost, class Visit>
    bool extend(const Count* f, const Cost& cost, Number left, const Visit& visit,
                PerRow<Count, K>& v, Set s, int last) const {
        const Set all = (Set{1} << k_) - 1;
        if (f[s] == f[all]) return visit(v);  // the other rows get nothing
        for (int i = 0; i < k_; ++i) {
            const Set bit = Set{1} << i;
            const Count gain = f[s | bit] - f[s];
            if ((s & bit) != 0 || gain == 0) continue;
            if (last > i) {  // rows that do not compete are taken in increasing order
                const Set before = s ^ (Set{1} << last);
                if (f[before | bit] - f[before] == gain) continue;
            }
            const Number after = left - cost(i, gain);
            if (to_go_[s | bit] >= after) continue;
            v[i] = gain;
            const bool go_on = extend(f, cost, after, visit, v, s | bit, i);
            v[i] = 0;
            if (!go_on) return false;
        }
        return true;
    }

    int k_;
    std::vector<Number> to_go_;
    std::vector<std::int8_t> next_;
};

}  // namespace sfumato::hard_truth
