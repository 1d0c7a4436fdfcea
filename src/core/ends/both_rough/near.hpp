// The near end between two rough clusterings: the smallest
//     G = sum psi(R) + sum psi(C) - 2 sum psi(N)
// over the compatible tables.
//
// Idea. G is concave along every exchange of objects of one type, so it is smallest at a vertex of
// the compatible tables: there is an order of the cells, and every type goes wholly to the first
// cell of its set in that order. Best-first branch and bound on this order: the decision "c before
// d" takes d out of every set that holds both. Two bounds that are linear in the table are mixed.
// Invariant. A table better than the best one known is compatible with the sets of some open node,
// and the bound of that node is not above its value.
//
// Letters. c, d: cells. low, high: the fewest and the most objects that a cell can have at a node.
// Relaxed table: the table that attains a bound.
// Cost: per node a few steps of O(sum of the sizes of all sets); at most max_nodes nodes.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "ends/best_first.hpp"
#include "ends/both_rough/matched_start.hpp"
#include "ends/both_rough/problem.hpp"
#include "ends/found_end.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "psi/for_both_rough.hpp"
#include "spans.hpp"

namespace sfumato::both_rough {

template <class Psi>
class NearSearch {
    using Number = typename Psi::Number;

  public:
    NearSearch(const Psi& psi, const Problem& problem)
        : psi_(psi),
          problem_(problem),
          shape_(problem.shape),
          tolerance_(Psi::tolerance(problem.n_objects)),
          here_(shape_, problem.sets),
          costs_{std::vector<Number>(shape_.n_cells())},
          margins_(shape_.n_margins()) {}

    FoundEnd<double> run(const Limits& limits) {
        best_ = MatchedStart<Psi>(psi_, problem_).find();
        if (problem_.n_types() == 0) return found(best_.value);
        objective(psi_, shape_, best_.table, margins_);
        for (std::size_t m = 0; m < margins_.size(); ++m) {
            here_.points[m] = std::max(0.5, static_cast<double>(margins_[m]));
        }
        visit(psi_.smallest(problem_.n_objects), n_root_steps);
        for (std::int64_t n_nodes = 0; !open_.is_empty(); n_nodes += 2) {
            allow_interrupt();
            const Number bound = -open_.bound();
            if (Psi::is_closed(best_.value - bound, tolerance_)) break;
            if (limits.reached(n_nodes)) return found(bound);
            branch(open_.pop(), bound);
        }
        return found(best_.value);
    }

  private:
    static constexpr int n_root_steps = 40, n_node_steps = 6;
    static constexpr int parts = 32;  // two bounds are mixed in 32nds, in whole numbers

    // What the node that is visited knows.
    struct Here {
        std::vector<Cells> sets;              // by type
        std::vector<std::int64_t> low, high;  // by cell
        std::vector<double> points;           // by margin: where the tangents touch psi

        Here(Shape shape, std::vector<Cells> sets)
            : sets(std::move(sets)),
              low(shape.n_cells()),
              high(shape.n_cells()),
              points(shape.n_margins()) {}

        bool is_fixed(std::size_t cell) const { return high[cell] == low[cell]; }
    };
    // What one more object costs in each cell, by the parts of the bounds and in all.
    struct Costs {
        std::vector<Number> corner, chord = corner, tangent = corner, total = corner;
    };
    // The best bound of the node that is visited: its table and its tangents.
    struct Relaxed {
        std::vector<std::int64_t> table;
        std::vector<double> points;
    };
    struct Node {
        std::vector<Cells> sets;
        std::vector<double> points;
        std::size_t first, second;  // the cells to order next
    };

    FoundEnd<double> found(Number bound) const {
        const auto value = static_cast<double>(best_.value);
        const bool is_closed = Psi::is_closed(best_.value - bound, tolerance_);
        return {best_.table, value, is_closed ? value : Psi::outward_near(bound, tolerance_)};
    }

    // Visits both orders of the two cells that a node has chosen.
    void branch(const Node& node, Number bound) {
        for (const auto& [before, after] :
             {std::pair(node.first, node.second), std::pair(node.second, node.first)}) {
            here_.sets = node.sets;
            for (Cells& set : here_.sets) {
                if (has(set, before)) set &= ~only(after);
            }
            here_.points = node.points;
            visit(bound, n_node_steps);
        }
    }

    // Bounds a node, and keeps it unless it cannot hold a better table.
    void visit(Number parent_bound, int n_steps) {
        const bool is_open_node = measure_cells();
        const Number certain = objective(psi_, shape_, here_.low, margins_);
        if (!is_open_node) {
            best_.take(certain, here_.low);
            return;
        }
        Number bound = std::max(parent_bound, corner_bound(certain));
        if constexpr (Psi::grows) bound = std::max(bound, certain);  // objects are only added
        if (Psi::is_closed(best_.value - bound, tolerance_)) return;
        bound = std::max(bound, mixed_bound(certain, bound, n_steps));
        if (Psi::is_closed(best_.value - bound, tolerance_)) return;
        const auto [c, d] = choose_order();
        open_.push(-bound, {here_.sets, relaxed_.points, c, d});
    }

    // Finds the fewest and the most objects of each cell. False if every type is decided.
    bool measure_cells() {
        here_.low = problem_.certain;
        bool is_undecided = false;
        for (std::size_t t = 0; t < here_.sets.size(); ++t) {
            if (!is_open(here_.sets[t])) here_.low[first(here_.sets[t])] += problem_.counts[t];
        }
        here_.high = here_.low;
        for (std::size_t t = 0; t < here_.sets.size(); ++t) {
            if (!is_open(here_.sets[t])) continue;
            is_undecided = true;
            for_each(here_.sets[t],
                     [&](std::size_t cell) { here_.high[cell] += problem_.counts[t]; });
        }
        return is_undecided;
    }

    // Sends every open type to its cheapest cell by costs_.total, keeps the table if it is the best
    // so far, and returns the sum of the costs.
    Number assign_cheapest() {
        Number total = 0;
        table_ = here_.low;
        for (std::size_t t = 0; t < here_.sets.size(); ++t) {
            Cells set = here_.sets[t];
            if (!is_open(set)) continue;
            std::size_t best = first(set);
            for_each(set & (set - 1), [&](std::size_t cell) {
                if (costs_.total[cell] < costs_.total[best]) best = cell;
            });
            total += costs_.total[best] * static_cast<Number>(problem_.counts[t]);
            table_[best] += problem_.counts[t];
        }
        best_.take(objective(psi_, shape_, table_, margins_), table_);
        return total;
    }

    // The first bound. Let Phi_c be G as a function of the objects x_c added to cell c alone. psi
    // is convex, so objects in other cells of the row or column only raise what c costs:
    //     G(low + x) >= G(low) + sum_c Phi_c(x_c) - Phi_c(0).
    // Phi_c is concave, so its chord on [low, high] lies below it.
    Number corner_bound(Number certain) {
        for (std::size_t cell = 0; cell < shape_.n_cells(); ++cell) {
            if (here_.is_fixed(cell)) continue;
            costs_.corner[cell] = psi_.corner_slope(
                here_.low[cell], here_.high[cell], margins_[shape_.row(cell)] - here_.low[cell],
                margins_[shape_.column(cell)] - here_.low[cell]);
            const Line<Number> chord = psi_.chord(here_.low[cell], here_.high[cell]);
            costs_.chord[cell] = -2 * chord.slope;
            costs_.total[cell] = costs_.corner[cell];
        }
        const Number bound = certain + assign_cheapest();
        relaxed_.table = table_;
        return bound;
    }

    // Mixes the first bound with a second one, in which psi(R) and psi(C) are replaced by tangents
    // and -2 psi(N) by its chord. Looks for the best points of the tangents and the best share of
    // the second bound, step by step.
    Number mixed_bound(Number certain, Number bound, int n_steps) {
        relaxed_.points = here_.points;
        Number best_mixed = 0;
        double step = 1.0;
        int share = parts / 2;  // of the second bound
        for (int round = 0; round < n_steps; ++round) {
            const Number second = tangent_costs();
            for (std::size_t cell = 0; cell < shape_.n_cells(); ++cell) {
                costs_.total[cell] = static_cast<Number>(share) * costs_.tangent[cell] +
                                     static_cast<Number>(parts - share) * costs_.corner[cell];
            }
            const Number scaled = static_cast<Number>(share) * second +
                                  static_cast<Number>(parts - share) * certain + assign_cheapest();
            const Number mixed = Psi::divide_up(scaled, static_cast<Number>(parts));
            if (round == 0 || mixed > best_mixed) {
                best_mixed = mixed;
                relaxed_.points = here_.points;
                relaxed_.table = table_;
            } else {
                step *= 0.7;
            }
            bound = std::max(bound, mixed);
            if (Psi::is_closed(best_.value - bound, tolerance_)) break;
            const double gap = static_cast<double>(best_.value - mixed);
            share = move_share(share, step * gap, second - certain);
            move_points(step * gap, static_cast<double>(share) / parts);
        }
        return bound;
    }

    // Finds the costs of the second bound; returns its value at here_.low.
    Number tangent_costs() {
        Number total = 0;
        tangents_.clear();
        for (const double point : here_.points) {
            tangents_.push_back(psi_.of_margins().tangent(point));
            total += tangents_.back().offset;
        }
        for (std::size_t cell = 0; cell < shape_.n_cells(); ++cell) {
            const Number slope =
                tangents_[shape_.row(cell)].slope + tangents_[shape_.column(cell)].slope;
            total += slope * static_cast<Number>(here_.low[cell]) - 2 * psi_(here_.low[cell]);
            costs_.tangent[cell] =
                here_.high[cell] > here_.low[cell] ? slope + costs_.chord[cell] : 0;
        }
        return total;
    }

    // Changes the share. The derivative of the bound is the second bound minus the first, at the
    // relaxed table.
    int move_share(int share, double gap, Number difference) const {
        auto slope = static_cast<double>(difference);
        for (std::size_t cell = 0; cell < shape_.n_cells(); ++cell) {
            if (here_.is_fixed(cell)) continue;
            slope += static_cast<double>(costs_.tangent[cell] - costs_.corner[cell]) *
                     static_cast<double>(table_[cell] - here_.low[cell]);
        }
        if (std::abs(slope) < 1e-12) return share;
        const double change = std::clamp(0.5 * gap / slope, -0.15, 0.15) * parts;
        return std::clamp(share + static_cast<int>(std::lround(change)), 0, parts);
    }

    // Moves the points of the tangents towards the margins of the relaxed table.
    void move_points(double gap, double share) {
        double square = 0.0;
        for (std::size_t m = 0; m < margins_.size(); ++m) {
            const double change = static_cast<double>(margins_[m]) - here_.points[m];
            square += Psi::curvature(here_.points[m]) * change * change;
        }
        if (square < 1e-12) return;
        const double pace = std::min(1.0, gap / (std::max(share, 0.05) * square));
        for (std::size_t m = 0; m < margins_.size(); ++m) {
            here_.points[m] += pace * (static_cast<double>(margins_[m]) - here_.points[m]);
            here_.points[m] = std::max(here_.points[m], 0.5);
        }
    }

    // The cells to order next: the one where the chord is furthest from psi at the relaxed table,
    // and the one that shares most objects with it.
    std::pair<std::size_t, std::size_t> choose_order() const {
        std::size_t cell = shape_.n_cells();
        Number widest_gap = -1;
        std::int64_t width = 0;
        for (std::size_t c = 0; c < shape_.n_cells(); ++c) {
            if (here_.is_fixed(c)) continue;
            const Line<Number> chord = psi_.chord(here_.low[c], here_.high[c]);
            const Number gap = chord.slope * static_cast<Number>(relaxed_.table[c]) + chord.offset -
                               psi_(relaxed_.table[c]);
            if (cell == shape_.n_cells() || gap > widest_gap ||
                (gap == widest_gap && here_.high[c] - here_.low[c] > width)) {
                widest_gap = gap;
                width = here_.high[c] - here_.low[c];
                cell = c;
            }
        }
        std::vector<std::int64_t> shared(shape_.n_cells(), 0);
        for (std::size_t t = 0; t < here_.sets.size(); ++t) {
            const Cells set = here_.sets[t];
            if (!has(set, cell)) continue;
            for_each(set & ~only(cell), [&](std::size_t c) { shared[c] += problem_.counts[t]; });
        }
        const auto largest = std::max_element(shared.begin(), shared.end());
        return {cell, static_cast<std::size_t>(largest - shared.begin())};
    }

    const Psi& psi_;
    const Problem& problem_;
    Shape shape_;
    double tolerance_;
    Here here_;
    Costs costs_;
    std::vector<Line<Number>> tangents_;         // by margin
    std::vector<std::int64_t> table_, margins_;  // the table that was made last
    Relaxed relaxed_;
    OpenNodes<Number, Node, Ties::newest> open_;  // by minus their bounds: the smallest first
    BestTable<Number> best_{};
};

}  // namespace sfumato::both_rough
