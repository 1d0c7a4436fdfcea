// Adds the last column of a table against a hard truth to the others: all pairs of a state of the
// other columns and a state of the last one, with their probabilities.
//
// Letters. State: a value of what is kept, with its probability. g: a group, the states of the
// other columns with the same row sums. c: a state of the last column. k: number of rows.
// Cost: O(1) per pair visited.
#pragma once

#include "interrupt.hpp"
#include "laws/keyed_law.hpp"
#include "spans.hpp"

namespace sfumato {

// All columns but the last. A group has its row sums, and the law of the total of psi over cells,
// most probable first.
template <class Total>
struct GroupedStates {
    IntGrid rows;                   // (g, k)
    Ints starts;                    // (g + 1,)
    std::span<const Total> totals;  // (m,)
    Floats masses;                  // (m,)

    std::size_t n_groups() const { return starts.size() - 1; }
    std::size_t first(std::size_t g) const { return static_cast<std::size_t>(starts[g]); }
};

// The last column: its counts and their total of psi, most probable first.
template <class Total>
struct ColumnStates {
    IntGrid counts;                 // (s, k)
    std::span<const Total> totals;  // (s,)
    Floats masses;                  // (s,)

    std::size_t size() const { return masses.size(); }
};

// Calls visit(g, c, end) for every group g and column c. The states of g before `end` are those
// whose probability times that of c is at least `drop`. Returns the probability of the others.
template <class Total, class Visit>
double each_likely_pair(const GroupedStates<Total>& states, const ColumnStates<Total>& column,
                        double drop, const Visit& visit) {
    const std::vector<double> column_tails = tails_of(column.masses);
    double lost = 0.0;
    for (std::size_t g = 0; g < states.n_groups(); ++g) {
        allow_interrupt();
        const std::size_t first = states.first(g);
        std::size_t end = states.first(g + 1);
        double beyond = 0.0, all = 0.0;  // mass of the states from `end` on, and of the group
        for (std::size_t m = first; m < end; ++m) all += states.masses[m];
        for (std::size_t c = 0; c < column.size(); ++c) {
            const double mass = column.masses[c];
            while (end > first && states.masses[end - 1] * mass < drop) {
                beyond += states.masses[--end];
            }
            if (end == first) {
                lost += all * column_tails[c];
                break;
            }
            lost += beyond * mass;
            visit(g, c, end);
        }
    }
    return lost;
}

}  // namespace sfumato
