// Long sums whose rounding does not grow with their length: blocks of 128 terms are added in a
// fixed order, and the sums of blocks with Kahan's correction.
//
// Cost: O(number of terms).
#pragma once

#include <array>

#include "spans.hpp"

namespace sfumato {

// Terms added side by side, so that loops vectorise.
inline constexpr std::size_t n_side_by_side = 8;
inline constexpr std::size_t block_size = 128;

using SideBySide = std::array<double, n_side_by_side>;

// Kahan's sum: the rounding of each addition is taken back in the next one.
class Sum {
  public:
    void add(double term) {
        const double corrected = term - lost_;
        const double next = total_ + corrected;
        lost_ = (next - total_) - corrected;
        total_ = next;
    }
    double total() const { return total_; }

  private:
    double total_ = 0.0;
    double lost_ = 0.0;
};

inline double add_across(const SideBySide& x) {
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

using Block = std::array<double, block_size>;

// Folds numbers, half onto half with `merge`, down to n_side_by_side values. Loops of fixed length
// become vector instructions.
template <std::size_t size = block_size, class Merge>
inline SideBySide fold(const double* values, Merge merge) {
    std::array<double, size / 2> half;
    for (std::size_t x = 0; x < size / 2; ++x) half[x] = merge(values[x], values[x + size / 2]);
    if constexpr (size / 2 == n_side_by_side) {
        return half;
    } else {
        return fold<size / 2>(half.data(), merge);
    }
}

struct Plus {
    double operator()(double x, double y) const { return x + y; }
};

struct Larger {
    double operator()(double x, double y) const { return x < y ? y : x; }
};

struct Smaller {
    double operator()(double x, double y) const { return y < x ? y : x; }
};

// The sum of a block.
inline double add_up(const double* block) { return add_across(fold(block, Plus{})); }

// Calls visit(block) for consecutive blocks of block_size values, the last filled up with zeros.
template <class Visit>
void for_each_block(Floats values, Visit visit) {
    std::size_t at = 0;
    for (; at + block_size <= values.size(); at += block_size) {
        visit(values.data() + at);
    }
    if (at == values.size()) return;
    Block last{};
    for (std::size_t x = at; x < values.size(); ++x) last[x - at] = values[x];
    visit(last.data());
}

}  // namespace sfumato
