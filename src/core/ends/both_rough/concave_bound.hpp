// Upper bounds on G over the compatible tables whose margins lie in a box, from tangent planes of a
// concave function f above G:
//     f(N) = G(N) + sum_m pull_m (chord_m - psi)(m).
//
// Letters. m: a margin, that is a row or column sum. chord_m: the chord of psi over the side of
// the box. pull_m: a number from 0 to 1. w: factor of psi for margins.
// Cost: O(sum of the sizes of all sets) per step.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "ends/both_rough/problem.hpp"
#include "psi/for_both_rough.hpp"
#include "spans.hpp"

namespace sfumato::both_rough {

// The point of a bound, kept as a start for the boxes inside. First one number per cell: a table
// with fractions (x^2), or log weights by which every type is divided over its cells (x log x).
// Then one number per margin: its pull.
using Position = std::vector<double>;

// In the box the chords lie above psi, so f >= G. f is concave if the pulls are large enough.
//   - x log x: no pull is needed, because G is n times a sum of two conditional entropies.
//   - w x^2: pulls of 1 - 2/(w l) for rows and 1 - 2/(w k) for columns suffice. They leave
//     w (1 - pull) x^2 of each margin, and 2 sum N^2 is a convex function plus
//     2/l sum R^2 + 2/k sum C^2 - 2 n^2/(k l).
//
// A concave function lies below its tangent plane at any point. The plane is highest where every
// type goes to its best cell, which gives the bound. A few steps towards the maximum of f improve
// the point. The pulls follow the derivative of the bound, (chord - psi)(m), which is negative
// outside the box.
template <class Psi>
class ConcaveBound {
    using Number = typename Psi::Number;

  public:
    ConcaveBound(const Psi& psi, const Problem& problem)
        : psi_(psi),
          problem_(problem),
          shape_(problem.shape),
          tolerance_(Psi::tolerance(problem.n_objects)),
          table_(shape_.n_cells()),
          vertex_(shape_.n_cells()),
          gradient_(shape_.n_cells()),
          weights_(shape_.n_cells()),
          margins_(shape_.n_margins()),
          slopes_(shape_.n_margins()),
          gaps_(shape_.n_margins()) {
        for (std::size_t cell = 0; cell < shape_.n_cells(); ++cell) {
            if (problem.most[cell] > 0) used_.push_back(cell);
        }
        const auto n = static_cast<double>(problem.n_objects);
        slack_ = Psi::is_quadratic ? 1e-13 * n * n : tolerance_;
    }

    // A start at a table, with the smallest pulls.
    Position start(Ints table) const {
        Position position(shape_.n_cells() + shape_.n_margins(), 0.0);
        move_to(position, table);
        for (std::size_t m = 0; m < shape_.n_margins(); ++m) {
            position[shape_.n_cells() + m] = least_pull(m);
        }
        return position;
    }

    // Log weights cannot express a table with zeros: for x log x nothing moves.
    void move_to(Position& position, Ints table) const {
        if constexpr (Psi::is_quadratic) std::copy(table.begin(), table.end(), position.begin());
    }

    // An upper bound on G for margins in the box. Moves the position and stops when the bound shows
    // that no table beats `best`. It also stops when f is known to exceed `best`, and the bound
    // lies above f by at most `fineness` times that excess.
    Number bound(Ints lows, Ints highs, Position& position, Number best, double fineness,
                 int n_steps) {
        const auto point = std::span(position).first(shape_.n_cells());
        const auto pulls = std::span(position).subspan(shape_.n_cells());
        double least = std::numeric_limits<double>::infinity();
        for (int step = 0; step < n_steps; ++step) {
            place(point);
            const double value = linearise(lows, highs, pulls);
            const double rise = climb();
            least = std::min(least, value + rise);
            if (Psi::is_closed(Psi::whole(least + slack_) - best, tolerance_)) break;
            const double excess = value - static_cast<double>(best);
            const bool is_inside = *std::min_element(gaps_.begin(), gaps_.end()) >= 0.0;
            if (is_inside && excess > 2.0 * slack_ && rise <= fineness * excess) break;
            if constexpr (Psi::is_quadratic) {
                move_to_vertex(point, pulls, rise);
            } else {
                move_weights(point);
            }
            pull(pulls, value + rise - static_cast<double>(best));
        }
        return Psi::whole(least + slack_);
    }

  private:
    double least_pull(std::size_t margin) const {
        if constexpr (Psi::is_quadratic) {
            const std::size_t across = margin < shape_.n_rows ? shape_.n_columns : shape_.n_rows;
            const double bend = psi_.weight() * static_cast<double>(across);
            return bend > 2.0 ? 1.0 - 2.0 / bend : 0.0;
        } else {
            return 0.0;
        }
    }

    // Finds the table at a position, and its margins.
    void place(Floats point) {
        if constexpr (Psi::is_quadratic) {
            std::copy(point.begin(), point.end(), table_.begin());
        } else {
            for (const std::size_t cell : used_) {
                table_[cell] = static_cast<double>(problem_.certain[cell]);
                weights_[cell] = std::exp(point[cell]);
            }
            for (std::size_t t = 0; t < problem_.n_types(); ++t) {
                double total = 0.0;
                for_each(problem_.sets[t], [&](std::size_t cell) { total += weights_[cell]; });
                const double share = static_cast<double>(problem_.counts[t]) / total;
                for_each(problem_.sets[t],
                         [&](std::size_t cell) { table_[cell] += share * weights_[cell]; });
            }
        }
        sum_margins(table_, margins_);
    }

    void sum_margins(Floats table, std::span<double> margins) const {
        std::fill(margins.begin(), margins.end(), 0.0);
        for (const std::size_t cell : used_) {
            margins[shape_.row(cell)] += table[cell];
            margins[shape_.column(cell)] += table[cell];
        }
    }

    // Finds f and its gradient at the table.
    double linearise(Ints lows, Ints highs, Floats pulls) {
        double value = 0.0;
        for (std::size_t m = 0; m < margins_.size(); ++m) {
            const Line<Number> chord = psi_.of_margins().chord(lows[m], highs[m]);
            const auto [at, slope] = psi_.of_margins().at(margins_[m]);
            gaps_[m] = static_cast<double>(chord.slope) * margins_[m] +
                       static_cast<double>(chord.offset) - at;
            value += at + pulls[m] * gaps_[m];
            slopes_[m] = slope + pulls[m] * (static_cast<double>(chord.slope) - slope);
        }
        for (const std::size_t cell : used_) {
            const auto [at, slope] = Psi::at(table_[cell]);
            value -= 2.0 * at;
            gradient_[cell] =
                slopes_[shape_.row(cell)] + slopes_[shape_.column(cell)] - 2.0 * slope;
        }
        return value;
    }

    // How far the tangent plane rises from the table to its highest vertex, where every type goes
    // to its best cell.
    double climb() {
        double rise = 0.0;
        for (const std::size_t cell : used_) {
            vertex_[cell] = static_cast<double>(problem_.certain[cell]);
            rise += gradient_[cell] * (vertex_[cell] - table_[cell]);
        }
        for (std::size_t t = 0; t < problem_.n_types(); ++t) {
            const Cells set = problem_.sets[t];
            std::size_t best = first(set);
            for_each(set & (set - 1), [&](std::size_t cell) {
                if (gradient_[cell] > gradient_[best]) best = cell;
            });
            const auto count = static_cast<double>(problem_.counts[t]);
            rise += gradient_[best] * count;
            vertex_[best] += count;
        }
        return rise;
    }

    // A step of mirror ascent: -f is smooth relative to twice the negative entropy of the shares.
    void move_weights(std::span<double> point) const {
        double largest = -std::numeric_limits<double>::infinity();
        for (const std::size_t cell : used_) {
            point[cell] += 0.5 * gradient_[cell];
            largest = std::max(largest, point[cell]);
        }
        for (const std::size_t cell : used_) {
            point[cell] = std::max(point[cell] - largest, least_log_weight);
        }
    }

    // A step of Frank and Wolfe (1956), of the best length for a quadratic function.
    void move_to_vertex(std::span<double> point, Floats pulls, double rise) {
        if (rise <= 0.0) return;  // at the maximum, up to rounding
        double bend = 0.0;
        for (const std::size_t cell : used_) {
            vertex_[cell] -= table_[cell];
            bend += 2.0 * vertex_[cell] * vertex_[cell];
        }
        sum_margins(vertex_, margins_);
        for (std::size_t m = 0; m < margins_.size(); ++m) {
            bend -= psi_.weight() * (1.0 - pulls[m]) * margins_[m] * margins_[m];
        }
        const double length = 2.0 * bend > rise ? rise / (2.0 * bend) : 1.0;
        for (const std::size_t cell : used_) point[cell] += length * vertex_[cell];
    }

    // Changes the pulls to lower the bound, by a part of the step that would close the gap if the
    // bound were linear.
    void pull(std::span<double> pulls, double open_gap) const {
        double square = 0.0;
        for (const double gap : gaps_) square += gap * gap;
        if (square <= 0.0) return;
        const double step = 0.3 * open_gap / square;
        for (std::size_t m = 0; m < gaps_.size(); ++m) {
            pulls[m] = std::clamp(pulls[m] - step * gaps_[m], least_pull(m), 1.0);
        }
    }

    static constexpr double least_log_weight = -100.0;  // so that no share becomes zero

    const Psi& psi_;
    const Problem& problem_;
    Shape shape_;
    double tolerance_;
    double slack_;  // more than the rounding of a bound
    std::vector<std::size_t> used_;
    std::vector<double> table_, vertex_, gradient_, weights_, margins_, slopes_, gaps_;
};

}  // namespace sfumato::both_rough
