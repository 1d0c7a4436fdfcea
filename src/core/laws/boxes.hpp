// Laws of sums of independent random vectors of whole numbers, as arrays over boxes.
//
// law_of_steps adds objects one by one, each of which takes one of a few steps in {0, 1, ...}^d.
// convolve_moments adds two vectors u and v, with the moments of numbers X and Y that add up too:
//     E[(X + Y)^m; u + v] = sum_i C(m, i) E[X^i; u] E[Y^(m - i); v].
//
// Letters. d: dimensions. Box: all vectors from an origin on with given sides, in C order. E[X; u]:
// mean of X where the vector is u, times the probability of u.
// Cost: O(cells of the box * steps) per object; O(cells of one box * cells of the other), for each
// moment.
#pragma once

#include <algorithm>
#include <utility>

#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato {

using Sides = std::vector<std::size_t>;

// How far apart neighbours along each dimension are, and at last the number of cells.
struct Strides {
    Sides by_dimension;
    std::size_t cells = 1;

    explicit Strides(const Sides& sides) : by_dimension(sides.size()) {
        for (std::size_t i = sides.size(); i-- > 0; cells *= sides[i]) by_dimension[i] = cells;
    }
    template <class Vector>
    std::size_t place(const Vector& vector) const {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < by_dimension.size(); ++i) {
            sum += static_cast<std::size_t>(vector[i]) * by_dimension[i];
        }
        return sum;
    }
};

// Visits every width-th cell of a box, where the last side is a multiple of the width: visit(cell,
// its coordinates).
template <class Visit>
void each_row(const Sides& sides, std::size_t width, const Visit& visit) {
    Sides at(sides.size(), 0);
    for (std::size_t cell = 0, cells = Strides(sides).cells; cell < cells; cell += width) {
        visit(cell, at);
        at.back() += width;
        for (std::size_t i = sides.size(); --i > 0 && at[i] >= sides[i];) {
            at[i] = 0;
            ++at[i - 1];
        }
    }
}

struct StepLaw {
    std::vector<std::int64_t> origin;  // (d,): the lowest corner of the box
    Sides shape;                       // (d,)
    std::vector<double> law;           // probabilities of its points
    double lost = 0.0;                 // probability of all slices that were cut off
};

// Only positive numbers are added and multiplied, so nothing cancels.
class StepSummer {
  public:
    StepSummer(const IntGrid& steps, double drop)
        : steps_(steps),
          d_(steps.shape[1]),
          drop_(drop),
          found_{std::vector<std::int64_t>(d_, 0), Sides(d_, 1), {1.0}} {}

    void add(Floats weights) {
        Sides shape = found_.shape;
        for (std::size_t i = 0; i < d_; ++i) {
            std::int64_t reach = 0;
            for (std::size_t s = 0; s < weights.size(); ++s) {
                if (weights[s] > 0.0) reach = std::max(reach, steps_[s][i]);
            }
            shape[i] += static_cast<std::size_t>(reach);
        }
        const Strides strides(shape);
        next_.assign(strides.cells, 0.0);
        const std::size_t width = found_.shape.back();
        for (std::size_t s = 0; s < weights.size(); ++s) {
            const double weight = weights[s];
            if (weight <= 0.0) continue;
            const std::size_t shift = strides.place(steps_[s]);
            each_row(found_.shape, width, [&](std::size_t first, const Sides& at) {
                const double* from = found_.law.data() + first;
                double* into = next_.data() + shift + strides.place(at);
                for (std::size_t j = 0; j < width; ++j) into[j] += weight * from[j];
            });
        }
        found_.shape = std::move(shape);
        found_.law.swap(next_);
    }

    void add_sure(Ints step) {
        for (std::size_t i = 0; i < d_; ++i) found_.origin[i] += step[i];
    }

    // Cuts off the outer slices of the box while their probability is at most `drop`.
    void trim() {
        Sides first(d_, 0), shape = found_.shape;
        for (std::size_t i = 0; i < d_; ++i) {
            const std::vector<double> masses = slice_masses(i);
            std::size_t low = 0, high = masses.size();
            while (low + 1 < high && masses[low] <= drop_) ++low;
            while (low + 1 < high && masses[high - 1] <= drop_) --high;
            first[i] = low;
            shape[i] = high - low;
        }
        if (shape == found_.shape) return;
        const Strides strides(shape);
        next_.assign(strides.cells, 0.0);
        const std::size_t width = found_.shape.back(), low = first.back(), kept = shape.back();
        each_row(found_.shape, width, [&](std::size_t begin, const Sides& at) {
            bool is_kept = true;
            std::size_t to = 0;
            for (std::size_t i = 0; i + 1 < d_; ++i) {
                is_kept = is_kept && at[i] >= first[i] && at[i] - first[i] < shape[i];
                to += (at[i] - first[i]) * strides.by_dimension[i];  // may wrap where unused
            }
            for (std::size_t j = 0; j < width; ++j) {
                const double mass = found_.law[begin + j];
                if (is_kept && j >= low && j - low < kept) {
                    next_[to + j - low] = mass;
                } else {
                    found_.lost += mass;
                }
            }
        });
        for (std::size_t i = 0; i < d_; ++i) {
            found_.origin[i] += static_cast<std::int64_t>(first[i]);
        }
        found_.shape = std::move(shape);
        found_.law.swap(next_);
    }

    StepLaw take() { return std::move(found_); }

  private:
    // Probabilities of the slices of the box across one dimension.
    std::vector<double> slice_masses(std::size_t dimension) const {
        const std::size_t width = found_.shape.back();
        std::vector<double> masses(found_.shape[dimension], 0.0);
        each_row(found_.shape, width, [&](std::size_t first, const Sides& at) {
            if (dimension + 1 == d_) {
                for (std::size_t j = 0; j < width; ++j) masses[j] += found_.law[first + j];
            } else {
                double mass = 0.0;
                for (std::size_t j = 0; j < width; ++j) mass += found_.law[first + j];
                masses[at[dimension]] += mass;
            }
        });
        return masses;
    }

    IntGrid steps_;  // (s, d)
    std::size_t d_;
    double drop_;
    StepLaw found_;
    std::vector<double> next_;
};

// weights (n, s): the probabilities of the steps of each object. The box is trimmed every few
// objects.
inline StepLaw law_of_steps(const FloatGrid& weights, const IntGrid& steps, double drop) {
    constexpr std::size_t objects_between_trims = 8;
    const auto is_possible = [](double weight) { return weight > 0.0; };
    StepSummer summer(steps, drop);
    std::size_t added = 0;
    for (std::size_t x = 0; x < weights.shape[0]; ++x) {
        const Floats own = weights[x];
        if (std::ranges::count_if(own, is_possible) == 1) {
            const auto sure = std::ranges::find_if(own, is_possible);
            summer.add_sure(steps[static_cast<std::size_t>(sure - own.begin())]);
            continue;
        }
        summer.add(own);
        if (++added % objects_between_trims == 0) {
            allow_interrupt();
            summer.trim();
        }
    }
    summer.trim();
    return summer.take();
}

// Moments is 1, 2 or 3: E[X^i; u] for i < Moments, one box after the other. For every cell of the
// right box the rows of the left one are shifted and added; rows are contiguous.
template <std::size_t Moments>
NewGrid<double> convolve_boxes(Floats left, const Sides& left_sides, Floats right,
                               const Sides& right_sides) {
    Sides sides(left_sides);
    for (std::size_t i = 0; i < sides.size(); ++i) sides[i] += right_sides[i] - 1;
    const Strides strides(sides);
    const std::size_t width = left_sides.back();
    const std::size_t left_cells = left.size() / Moments, right_cells = right.size() / Moments;
    std::vector<std::pair<std::size_t, std::size_t>> rows;  // first cell, and its place in the sum
    each_row(left_sides, width, [&](std::size_t first, const Sides& at) {
        rows.emplace_back(first, strides.place(at));
    });
    std::vector<double> out(Moments * strides.cells, 0.0);
    each_row(right_sides, 1, [&](std::size_t from, const Sides& at) {
        if (from % 64 == 0) allow_interrupt();
        double y[Moments];
        for (std::size_t m = 0; m < Moments; ++m) y[m] = right[m * right_cells + from];
        if (y[0] == 0.0) return;
        const std::size_t shift = strides.place(at);
        for (const auto& [first, place] : rows) {
            const double* x0 = left.data() + first;
            double* z0 = out.data() + place + shift;
            for (std::size_t j = 0; j < width; ++j) z0[j] += x0[j] * y[0];
            if constexpr (Moments > 1) {
                const double* x1 = x0 + left_cells;
                double* z1 = z0 + strides.cells;
                for (std::size_t j = 0; j < width; ++j) z1[j] += x1[j] * y[0] + x0[j] * y[1];
            }
            if constexpr (Moments > 2) {
                const double *x1 = x0 + left_cells, *x2 = x1 + left_cells;
                double* z2 = z0 + 2 * strides.cells;
                for (std::size_t j = 0; j < width; ++j) {
                    z2[j] += x2[j] * y[0] + 2.0 * x1[j] * y[1] + x0[j] * y[2];
                }
            }
        }
    });
    return {std::move(out), {Moments, strides.cells}};
}

inline NewGrid<double> convolve_moments(const FloatGrid& left, Ints left_shape,
                                        const FloatGrid& right, Ints right_shape) {
    const auto convolve = left.shape[0] == 1   ? convolve_boxes<1>
                          : left.shape[0] == 2 ? convolve_boxes<2>
                                               : convolve_boxes<3>;
    return convolve(left.values, {left_shape.begin(), left_shape.end()}, right.values,
                    {right_shape.begin(), right_shape.end()});
}

}  // namespace sfumato
