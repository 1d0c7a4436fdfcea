// The law of a sum of two independent random vectors u and v, with the moments of numbers X and Y
// that add up too:
//     E[(X + Y)^m; u + v] = sum_i C(m, i) E[X^i; u] E[Y^(m - i); v].
//
// Letters. E[X; u]: mean of X where the vector is u, times the probability of u. Box: all vectors
// from 0 on with given sides. d: dimensions.
// Cost: O(cells of one box * cells of the other), for each moment.
#pragma once

#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato {

struct MomentBox {
    Floats moments;                      // (t, cells): E[X^i; vector] for i < t
    std::span<const std::size_t> shape;  // (d,)

    std::size_t cells() const {
        std::size_t volume = 1;
        for (const std::size_t side : shape) volume *= side;
        return volume;
    }
};

// Moments is 1, 2 or 3. For every cell of the right box the rows of the left one are shifted and
// added; rows are contiguous.
template <std::size_t Moments>
class MomentConvolver {
  public:
    MomentConvolver(const MomentBox& left, const MomentBox& right)
        : left_(left), right_(right), dimensions_(left.shape.size()), stride_(dimensions_, 1) {
        for (std::size_t i = dimensions_; i-- > 0;) {
            if (i + 1 < dimensions_) stride_[i] = stride_[i + 1] * side(i + 1);
        }
        cells_ = stride_[0] * side(0);
        for_each_row(left_, left_.shape.back(), [&](std::size_t first, std::size_t to) {
            row_first_.push_back(first);
            row_to_.push_back(to);
        });
    }

    std::vector<double> convolve() const {
        std::vector<double> out(Moments * cells_, 0.0);
        const std::size_t cells = right_.cells();
        for_each_row(right_, 1, [&](std::size_t from, std::size_t shift) {
            if (from % 64 == 0) allow_interrupt();
            double y[Moments];
            for (std::size_t m = 0; m < Moments; ++m) y[m] = right_.moments[m * cells + from];
            if (y[0] != 0.0) add(y, shift, out);
        });
        return out;
    }

  private:
    std::size_t side(std::size_t i) const { return left_.shape[i] + right_.shape[i] - 1; }

    // Visits every width-th cell of a box: visit(cell, place of the cell in the result).
    template <class Visit>
    void for_each_row(const MomentBox& box, std::size_t width, const Visit& visit) const {
        std::vector<std::size_t> at(dimensions_, 0);
        const std::size_t cells = box.cells();
        for (std::size_t cell = 0; cell < cells; cell += width) {
            std::size_t place = 0;
            for (std::size_t i = 0; i < dimensions_; ++i) place += at[i] * stride_[i];
            visit(cell, place);
            at.back() += width;
            for (std::size_t i = dimensions_; --i > 0 && at[i] >= box.shape[i];) {
                at[i] = 0;
                ++at[i - 1];
            }
        }
    }

    void add(const double (&y)[Moments], std::size_t shift, std::vector<double>& out) const {
        const std::size_t width = left_.shape.back(), cells = left_.cells();
        for (std::size_t row = 0; row < row_first_.size(); ++row) {
            const double* x0 = left_.moments.data() + row_first_[row];
            double* z0 = out.data() + row_to_[row] + shift;
            for (std::size_t j = 0; j < width; ++j) z0[j] += x0[j] * y[0];
            if constexpr (Moments > 1) {
                const double* x1 = x0 + cells;
                double* z1 = z0 + cells_;
                for (std::size_t j = 0; j < width; ++j) z1[j] += x1[j] * y[0] + x0[j] * y[1];
            }
            if constexpr (Moments > 2) {
                const double *x1 = x0 + cells, *x2 = x1 + cells;
                double* z2 = z0 + 2 * cells_;
                for (std::size_t j = 0; j < width; ++j) {
                    z2[j] += x2[j] * y[0] + 2.0 * x1[j] * y[1] + x0[j] * y[2];
                }
            }
        }
    }

    MomentBox left_, right_;
    std::size_t dimensions_;
    std::vector<std::size_t> stride_;
    std::size_t cells_ = 0;
    std::vector<std::size_t> row_first_, row_to_;
};

}  // namespace sfumato
