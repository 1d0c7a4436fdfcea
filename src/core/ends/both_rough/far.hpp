// The far end between two rough clusterings: the largest
//     G = sum psi(R) + sum psi(C) - 2 sum psi(N)
// over the compatible tables.
//
// Idea. Best-first branch and bound on boxes. In a box psi(margin) lies below its chord. With
// chords in place of psi(margin) the problem is separable. If no side is longer than 1, chord and
// psi agree at whole numbers, so the bound is attained. Wide boxes get better bounds from planes.
// Invariant. A table better than the best one known has its margins in some open box, whose bound
// is not below its value.
//
// Letters. Margin: a row or column sum. Box: limits low <= margin <= high. Plane: a bound of
// concave_bound.hpp.
// Cost: per box one problem of separable_maximum.hpp and a few planes; at most max_nodes boxes.
#pragma once

#include <algorithm>
#include <limits>

#include "ends/best_first.hpp"
#include "ends/both_rough/concave_bound.hpp"
#include "ends/both_rough/problem.hpp"
#include "ends/both_rough/separable_maximum.hpp"
#include "ends/found_end.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "psi/for_both_rough.hpp"
#include "spans.hpp"

namespace sfumato::both_rough {

template <class Psi>
class FarSearch {
    using Number = typename Psi::Number;

  public:
    FarSearch(const Psi& psi, const Problem& problem)
        : psi_(psi),
          problem_(problem),
          shape_(problem.shape),
          tolerance_(Psi::tolerance(problem.n_objects)),
          separable_(psi, problem),
          concave_(psi, problem),
          slopes_(shape_.n_cells()),
          lines_(shape_.n_margins()),
          margins_(shape_.n_margins()),
          ascent_margins_(shape_.n_margins()),
          cap_(psi.largest(problem.n_objects)) {
        best_table_.assign(separable_.table().begin(), separable_.table().end());
        best_ = objective(psi_, shape_, best_table_, margins_);
    }

    FoundEnd<double> run(const Limits& limits) {
        if (problem_.n_types() == 0) return found(best_);
        if (shape_.n_rows == 1 || shape_.n_columns == 1) return along_one_margin();
        find_outer_box();
        here_ = outer_;
        visit(cap_);
        for (std::int64_t n_nodes = 0; !open_.is_empty(); n_nodes += 2) {
            allow_interrupt();
            const Number bound = open_.bound();
            const bool is_last = limits.reached(n_nodes);
            if (is_last) start_planes();
            if (Psi::is_closed(std::min(bound, cap_) - best_, tolerance_)) break;
            if (is_last) return found(std::min(bound, cap_));
            const Node node = open_.pop();
            for (const bool is_upper : {false, true}) {
                here_ = node.box;
                if (here_.position.empty()) here_.position = root_position_;
                if (is_upper) {
                    here_.lows[node.margin] = node.at + 1;
                } else {
                    here_.highs[node.margin] = node.at;
                }
                if (tighten()) visit(bound);
            }
        }
        return found(best_);
    }

  private:
    // For Rand planes help from the start. For the variation of information chords are tighter, and
    // planes help only if many boxes are open.
    static constexpr std::size_t n_boxes_before_planes = Psi::is_quadratic ? 0 : 1000;
    static constexpr int n_root_steps = 100, n_first_steps = 4, n_steps = 10;
    static constexpr double fineness = 0.5, any_fineness = std::numeric_limits<double>::infinity();

    // Limits of the margins, and where planes start, which is empty before planes are in use.
    struct Box {
        std::vector<std::int64_t> lows, highs;
        Position position;
    };
    struct Node {
        Box box;
        std::size_t margin;  // will be split into [low, at] and [at + 1, high]
        std::int64_t at;
    };

    FoundEnd<double> found(Number bound) const {
        const auto value = static_cast<double>(best_);
        const bool is_closed = Psi::is_closed(bound - best_, tolerance_);
        return {best_table_, value, is_closed ? value : Psi::outward_far(bound, tolerance_)};
    }

    // With a single row C = N and G = psi(n) - sum psi(N), which is a separable problem.
    FoundEnd<double> along_one_margin() {
        std::fill(slopes_.begin(), slopes_.end(), Number{0});
        separable_.maximise(slopes_);
        take(objective(psi_, shape_, separable_.table(), margins_));
        return found(best_);
    }

    void take(Number value) {
        if (value <= best_) return;
        best_ = value;
        best_table_.assign(separable_.table().begin(), separable_.table().end());
    }

    // The smallest and the largest value of every margin.
    void find_outer_box() {
        outer_.lows.assign(shape_.n_margins(), 0);
        outer_.highs.assign(shape_.n_margins(), 0);
        for (std::size_t cell = 0; cell < shape_.n_cells(); ++cell) {
            for (const std::size_t margin : {shape_.row(cell), shape_.column(cell)}) {
                outer_.lows[margin] += problem_.certain[cell];
                outer_.highs[margin] += problem_.certain[cell];
            }
        }
        for (std::size_t type = 0; type < problem_.n_types(); ++type) {
            for (std::size_t margin = 0; margin < shape_.n_margins(); ++margin) {
                const Cells inside = problem_.sets[type] & line_cells(margin);
                if (inside != 0) outer_.highs[margin] += problem_.counts[type];
                if (inside == problem_.sets[type]) outer_.lows[margin] += problem_.counts[type];
            }
        }
    }

    // The cells of one row or column.
    Cells line_cells(std::size_t margin) const {
        Cells cells = 0;
        for (std::size_t cell = 0; cell < shape_.n_cells(); ++cell) {
            if (shape_.row(cell) == margin || shape_.column(cell) == margin) cells |= only(cell);
        }
        return cells;
    }

    // Narrows the box by using that row sums add up to n, and column sums too. False if it is
    // empty.
    bool tighten() {
        const std::size_t k = shape_.n_rows;
        const std::span lows(here_.lows), highs(here_.highs);
        return narrow_to_sum(lows.first(k), highs.first(k), problem_.n_objects) &&
               narrow_to_sum(lows.subspan(k), highs.subspan(k), problem_.n_objects);
    }

    // Bounds the box, improves the table that attains the bound, and keeps the box unless it cannot
    // hold a better table.
    void visit(Number bound) {
        const bool is_root = open_.n_pushed() == 0;
        const bool uses_planes = !root_position_.empty();
        const auto is_closed_by = [&](Number other) {
            bound = std::min(bound, other);
            return Psi::is_closed(bound - best_, tolerance_);
        };
        // Planes cost less than the separable problem. They stop as soon as they cannot close the
        // box.
        if (Psi::is_quadratic && uses_planes &&
            is_closed_by(plane_bound(any_fineness, n_first_steps))) {
            return;
        }
        if (is_closed_by(relaxed_bound())) return;
        const Number value = objective(psi_, shape_, separable_.table(), margins_);
        if (uses_planes) concave_.move_to(here_.position, separable_.table());
        if (value > best_) {
            ascend(value);
            if (is_closed_by(bound)) return;
        }
        if (uses_planes && is_closed_by(plane_bound(fineness, n_steps))) return;
        if (open_.n_pushed() >= n_boxes_before_planes) start_planes();
        if (is_closed_by(cap_)) return;
        if (is_root) here_.position = root_position_;
        branch(bound);
    }

    Number plane_bound(double fineness, int n_steps) {
        return concave_.bound(here_.lows, here_.highs, here_.position, best_, fineness, n_steps);
    }

    // Bounds G over all tables by planes, once. Later boxes start from the position found.
    void start_planes() {
        if (!root_position_.empty()) return;
        root_position_ = concave_.start(best_table_);
        cap_ = std::min(cap_, concave_.bound(outer_.lows, outer_.highs, root_position_, best_,
                                             fineness, n_root_steps));
    }

    // The bound by chords.
    Number relaxed_bound() {
        Number offsets = 0;
        for (std::size_t m = 0; m < shape_.n_margins(); ++m) {
            lines_[m] = psi_.of_margins().chord(here_.lows[m], here_.highs[m]);
            offsets += lines_[m].offset;
        }
        return offsets + maximise_lines();
    }

    Number maximise_lines() {
        for (std::size_t cell = 0; cell < shape_.n_cells(); ++cell) {
            slopes_[cell] = lines_[shape_.row(cell)].slope + lines_[shape_.column(cell)].slope;
        }
        return separable_.maximise(slopes_);
    }

    // Improves a table. psi(margin) lies above its tangent at the current margin, so the best table
    // for tangents in place of psi(margin) is at least as good.
    void ascend(Number value) {
        ascent_margins_ = margins_;
        while (true) {
            take(value);
            for (std::size_t m = 0; m < shape_.n_margins(); ++m) {
                lines_[m] = psi_.of_margins().tangent(static_cast<double>(ascent_margins_[m]));
            }
            maximise_lines();
            const Number next = objective(psi_, shape_, separable_.table(), ascent_margins_);
            if (!Psi::is_gain(next - value)) return;
            value = next;
        }
    }

    // Splits the side of the margin whose chord is furthest above psi at the table that attains the
    // bound: at its value there, but at least a fifth of the side away from both ends.
    void branch(Number bound) {
        Number widest_gap = -1;
        std::size_t margin = 0;
        std::int64_t width = 0;
        for (std::size_t m = 0; m < shape_.n_margins(); ++m) {
            const std::int64_t low = here_.lows[m], high = here_.highs[m];
            if (high - low < 2) continue;
            const std::int64_t at = std::clamp(margins_[m], low, high);
            const Line<Number> chord = psi_.of_margins().chord(low, high);
            const Number gap =
                chord.slope * static_cast<Number>(at) + chord.offset - psi_.of_margins()(at);
            if (width == 0 || gap > widest_gap || (gap == widest_gap && high - low > width)) {
                widest_gap = gap;
                margin = m;
                width = high - low;
            }
        }
        if (width == 0) return;  // all chords are exact: the bound is attained, up to rounding
        const std::int64_t at =
            cut_point(margins_[margin], here_.lows[margin], here_.highs[margin]);
        open_.push(bound, {here_, margin, at});
    }

    const Psi& psi_;
    const Problem& problem_;
    Shape shape_;
    double tolerance_;
    SeparableMaximum<Psi> separable_;
    ConcaveBound<Psi> concave_;
    std::vector<Number> slopes_;
    std::vector<Line<Number>> lines_;
    std::vector<std::int64_t> margins_, ascent_margins_;
    Box here_, outer_;  // the box that is visited, and the one of all tables
    Position root_position_;
    Number cap_;  // no table has a larger G
    OpenNodes<Number, Node, Ties::newest> open_;
    Number best_;
    std::vector<std::int64_t> best_table_;
};

}  // namespace sfumato::both_rough
