// The law of a sum of independent random steps in {0, 1, ...}^d, in a box that grows with the steps
// and is trimmed.
//
// Letters. d: dimensions. Box: all points from `origin` on with sides `shape`.
// Cost: O(cells of the box * steps) per object.
#pragma once

#include <algorithm>
#include <utility>

#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato {

struct StepLaw {
    std::vector<std::int64_t> origin;  // (d,): the lowest corner of the box
    std::vector<std::size_t> shape;    // (d,)
    std::vector<double> law;           // probabilities of its points, in C order
    double lost = 0.0;                 // probability of all slices that were cut off
};

// Every object takes one of a few steps, with its own probabilities. Objects are added one by one.
// Every few objects the outer slices of the box are cut off while their probability is at most
// `drop`. Only positive numbers are added and multiplied, so nothing cancels.
class StepSummer {
  public:
    // steps: (s, d).
    StepSummer(Ints steps, std::size_t dimensions, double drop)
        : steps_(steps), dimensions_(dimensions), drop_(drop) {
        found_.origin.assign(dimensions, 0);
        found_.shape.assign(dimensions, 1);
        found_.law.assign(1, 1.0);
    }

    // weights: (n, s), the probabilities of the steps of each object.
    StepLaw sum(Floats weights) {
        constexpr std::size_t objects_between_trims = 8;
        const std::size_t n_steps = steps_.size() / dimensions_;
        std::size_t added = 0;
        for (std::size_t at = 0; at < weights.size(); at += n_steps) {
            const auto own = weights.subspan(at, n_steps);
            if (std::ranges::count_if(own, [](double w) { return w > 0.0; }) == 1) {
                const auto sure = std::ranges::find_if(own, [](double w) { return w > 0.0; });
                const auto step = step_at(static_cast<std::size_t>(sure - own.begin()));
                for (std::size_t i = 0; i < dimensions_; ++i) found_.origin[i] += step[i];
                continue;
            }
            add(own);
            if (++added % objects_between_trims == 0) {
                allow_interrupt();
                trim();
            }
        }
        trim();
        return std::move(found_);
    }

  private:
    Ints step_at(std::size_t step) const { return steps_.subspan(step * dimensions_, dimensions_); }

    // Visits the rows of the box along its last dimension: visit(coordinates, first cell).
    template <class Visit>
    void each_row(const Visit& visit) const {
        const std::size_t width = found_.shape.back();
        std::vector<std::size_t> at(dimensions_, 0);
        for (std::size_t first = 0; first < found_.law.size(); first += width) {
            visit(at, first);
            for (std::size_t i = dimensions_ - 1; i-- > 0;) {
                if (++at[i] < found_.shape[i]) break;
                at[i] = 0;
            }
        }
    }

    static std::vector<std::size_t> strides(std::span<const std::size_t> shape) {
        std::vector<std::size_t> stride(shape.size(), 1);
        for (std::size_t i = shape.size() - 1; i-- > 0;) stride[i] = stride[i + 1] * shape[i + 1];
        return stride;
    }

    static std::size_t volume(std::span<const std::size_t> shape) {
        std::size_t cells = 1;
        for (const std::size_t side : shape) cells *= side;
        return cells;
    }

    void add(Floats weights) {
        std::vector<std::size_t> shape = found_.shape;
        for (std::size_t i = 0; i < dimensions_; ++i) {
            std::int64_t reach = 0;
            for (std::size_t s = 0; s < weights.size(); ++s) {
                if (weights[s] > 0.0) reach = std::max(reach, step_at(s)[i]);
            }
            shape[i] += static_cast<std::size_t>(reach);
        }
        const auto stride = strides(shape);
        next_.assign(volume(shape), 0.0);
        const std::size_t width = found_.shape.back();
        for (std::size_t s = 0; s < weights.size(); ++s) {
            const double weight = weights[s];
            if (weight <= 0.0) continue;
            std::size_t shift = 0;
            for (std::size_t i = 0; i < dimensions_; ++i) {
                shift += static_cast<std::size_t>(step_at(s)[i]) * stride[i];
            }
            each_row([&](std::span<const std::size_t> at, std::size_t first) {
                std::size_t to = shift;
                for (std::size_t i = 0; i + 1 < dimensions_; ++i) to += at[i] * stride[i];
                const double* from = found_.law.data() + first;
                double* into = next_.data() + to;
                for (std::size_t j = 0; j < width; ++j) into[j] += weight * from[j];
            });
        }
        found_.shape = std::move(shape);
        found_.law.swap(next_);
    }

    void trim() {
        std::vector<std::size_t> first(dimensions_, 0), shape = found_.shape;
        bool is_smaller = false;
        for (std::size_t i = 0; i < dimensions_; ++i) {
            const std::vector<double> masses = slice_masses(i);
            std::size_t low = 0, high = masses.size();
            while (low + 1 < high && masses[low] <= drop_) ++low;
            while (low + 1 < high && masses[high - 1] <= drop_) --high;
            first[i] = low;
            shape[i] = high - low;
            is_smaller = is_smaller || shape[i] < found_.shape[i];
        }
        if (!is_smaller) return;
        const auto stride = strides(shape);
        const std::size_t last = dimensions_ - 1;
        next_.assign(volume(shape), 0.0);
        each_row([&](std::span<const std::size_t> at, std::size_t begin) {
            std::size_t to = 0;
            bool is_kept = true;
            for (std::size_t i = 0; i < last; ++i) {
                is_kept = is_kept && at[i] >= first[i] && at[i] - first[i] < shape[i];
                to += (at[i] - first[i]) * stride[i];  // may wrap around where unused
            }
            for (std::size_t j = 0; j < found_.shape[last]; ++j) {
                const double mass = found_.law[begin + j];
                if (is_kept && j >= first[last] && j - first[last] < shape[last]) {
                    next_[to + j - first[last]] = mass;
                } else {
                    found_.lost += mass;
                }
            }
        });
        for (std::size_t i = 0; i < dimensions_; ++i) {
            found_.origin[i] += static_cast<std::int64_t>(first[i]);
        }
        found_.shape = std::move(shape);
        found_.law.swap(next_);
    }

    // Probabilities of the slices of the box across one dimension.
    std::vector<double> slice_masses(std::size_t dimension) const {
        const std::size_t width = found_.shape.back();
        std::vector<double> masses(found_.shape[dimension], 0.0);
        each_row([&](std::span<const std::size_t> at, std::size_t first) {
            if (dimension + 1 == dimensions_) {
                for (std::size_t j = 0; j < width; ++j) masses[j] += found_.law[first + j];
            } else {
                double mass = 0.0;
                for (std::size_t j = 0; j < width; ++j) mass += found_.law[first + j];
                masses[at[dimension]] += mass;
            }
        });
        return masses;
    }

    Ints steps_;
    std::size_t dimensions_;
    double drop_;
    StepLaw found_;
    std::vector<double> next_;
};

}  // namespace sfumato
