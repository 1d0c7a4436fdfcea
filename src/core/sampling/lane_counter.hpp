// Many tables drawn side by side. A lane is one of 128 tables; an object draws its cell for all
// lanes at once, so that the generator and the comparisons run as vector instructions (clones.hpp).
// All arithmetic is on integers.
//
// Choices are exact by random numbers of only 16 bits. Each option owns as many of the 2^16 numbers
// as its probability surely covers, one block after the other. The few numbers left at the top are
// open: if one is drawn, a second draw chooses an option by the part of its probability that its
// block does not cover.
//
// Idea. Count the numbers below each cut; neighbouring counts differ by the objects of one option.
// Invariant. below[i][lane] is how many of the objects counted so far drew one of the options 0 to
// i in that lane.
//
// Cost: per object and lane one number and a comparison with the cut of each option.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "clones.hpp"
#include "interrupt.hpp"
#include "sampling/random.hpp"
#include "spans.hpp"

namespace sfumato {

// Writes one cut per option: the option owns the numbers below its cut and not below the previous
// one. Numbers not below the last cut are open. Blocks are taken of 2^16 - 1 numbers, so that at
// least one number is open and every cut fits into 16 bits.
inline void make_cuts(Floats weights, std::int16_t* cuts) {
    const double scale = 0xffff / std::accumulate(weights.begin(), weights.end(), 0.0);
    std::int32_t sum = INT16_MIN;
    for (std::size_t option = 0; option < weights.size(); ++option) {
        sum += static_cast<std::int32_t>(weights[option] * scale);
        cuts[option] = static_cast<std::int16_t>(sum);
    }
}

// The option of an object whose number is open, by a uniform number in [0, 1).
inline std::size_t settle(Floats weights, const std::int16_t* cuts, double uniform) {
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    const std::int32_t n_open = INT16_MAX + 1 - cuts[weights.size() - 1];
    double place = uniform * n_open;
    std::size_t likely = 0;  // rounding may leave a place beyond the last option
    std::int32_t before = INT16_MIN;
    for (std::size_t option = 0; option < weights.size(); ++option) {
        place -= 0x1.0p16 * (weights[option] / total) - (cuts[option] - before);
        if (place < 0.0) return option;
        before = cuts[option];
        if (weights[option] > weights[likely]) likely = option;
    }
    return likely;
}

inline constexpr std::size_t n_lanes = 128;
using LaneNumbers = std::array<std::int16_t, n_lanes>;

// The generator xoshiro128+ of Blackman & Vigna (2021). One serves two lanes: each takes 16 of its
// 32 bits.
struct LaneGenerators {
    std::array<std::uint32_t, n_lanes / 2> a, b, c, d;

    explicit LaneGenerators(Xoshiro& seeds) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            const std::uint64_t first = seeds.next(), second = seeds.next();
            a[i] = static_cast<std::uint32_t>(first) | 1;  // never all zero
            b[i] = static_cast<std::uint32_t>(first >> 32);
            c[i] = static_cast<std::uint32_t>(second);
            d[i] = static_cast<std::uint32_t>(second >> 32);
        }
    }
};

struct LaneObject {
    const double* weights;     // one for each option
    const std::int16_t* cuts;  // see make_cuts
};

struct OpenChoice {
    std::size_t object, lane;
};

// Draws the numbers of a few objects; few, so that a generator stays in registers.
template <std::size_t n_objects>
SFUMATO_IN_CLONE void draw_numbers(LaneGenerators& random, LaneNumbers* numbers) {
    for (std::size_t i = 0; i < n_lanes / 2; ++i) {
        std::uint32_t a = random.a[i], b = random.b[i], c = random.c[i], d = random.d[i];
        for (std::size_t object = 0; object < n_objects; ++object) {
            const std::uint32_t drawn = a + d;
            std::memcpy(&numbers[object][2 * i], &drawn, sizeof(drawn));
            const std::uint32_t shifted = b << 9;
            c ^= a;
            d ^= b;
            b ^= c;
            a ^= d;
            c ^= shifted;
            d = (d << 11) | (d >> 21);
        }
        random.a[i] = a;
        random.b[i] = b;
        random.c[i] = c;
        random.d[i] = d;
    }
}

// The cuts of a few objects that belong to one option.
template <std::size_t n_objects>
SFUMATO_IN_CLONE std::array<std::int16_t, n_objects> cuts_of(const LaneObject* objects,
                                                             std::size_t option) {
    std::array<std::int16_t, n_objects> cuts;
    for (std::size_t i = 0; i < n_objects; ++i) cuts[i] = objects[i].cuts[option];
    return cuts;
}

// How many numbers are open. The sum has 16 bits like the numbers, so that vectors of equal length
// are added.
template <std::size_t n_objects>
SFUMATO_IN_CLONE std::int16_t n_open(const std::array<LaneNumbers, n_objects>& numbers,
                                     const std::array<std::int16_t, n_objects>& last) {
    std::int16_t sum = 0;
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        for (std::size_t i = 0; i < n_objects; ++i) {
            sum = static_cast<std::int16_t>(sum + (numbers[i][lane] >= last[i]));
        }
    }
    return sum;
}

// count_below for a few objects, from `first` on.
template <std::size_t n_objects>
SFUMATO_IN_CLONE void count_few(LaneGenerators& random, std::span<const LaneObject> objects,
                                std::size_t first, std::size_t n_options, LaneNumbers* below,
                                std::vector<OpenChoice>& open) {
    std::array<LaneNumbers, n_objects> numbers;
    draw_numbers<n_objects>(random, numbers.data());
    for (std::size_t option = 0; option + 1 < n_options; ++option) {
        const auto cuts = cuts_of<n_objects>(&objects[first], option);
        std::int16_t* const counts = below[option].data();
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            int count = counts[lane];
            for (std::size_t i = 0; i < n_objects; ++i) count += numbers[i][lane] < cuts[i];
            counts[lane] = static_cast<std::int16_t>(count);
        }
    }
    const auto last = cuts_of<n_objects>(&objects[first], n_options - 1);
    if (n_open(numbers, last) == 0) return;
    for (std::size_t i = 0; i < n_objects; ++i) {
        if (n_open<1>({numbers[i]}, {last[i]}) == 0) continue;
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            if (numbers[i][lane] >= last[i]) open.push_back({first + i, lane});
        }
    }
}

// In every lane every object draws a number. below[i] counts the numbers below the i-th cut of
// their object; open numbers are listed.
SFUMATO_CLONES inline void count_below(LaneGenerators& random, std::span<const LaneObject> objects,
                                       std::size_t n_options, LaneNumbers* below,
                                       std::vector<OpenChoice>& open) {
    constexpr std::size_t n_together = 4;
    std::size_t first = 0;
    for (; first + n_together <= objects.size(); first += n_together) {
        count_few<n_together>(random, objects, first, n_options, below, open);
    }
    for (; first < objects.size(); ++first) {
        count_few<1>(random, objects, first, n_options, below, open);
    }
}

// Draws objects that share their cells, for a batch of tables.
class LaneCounter {
  public:
    static constexpr std::size_t most_waiting = 64;  // few enough to stay in the nearest cache

    LaneCounter(std::size_t width, Xoshiro& seeds) : width_(width), seeds_(seeds), random_(seeds) {}

    // From now on objects choose among `cells`. Draws of the first `used` lanes are added to
    // `tables`, which has one row of `width` counts per table.
    void start(Ints cells, std::size_t used, std::int64_t* tables) {
        cells_ = cells;
        used_ = used;
        tables_ = tables;
        below_.assign(cells.size() - 1, LaneNumbers{});
    }

    // Weights and cuts of the object must stay in memory until it is drawn: at most `most_waiting`
    // objects later, or at finish().
    void add(const LaneObject& object, std::int64_t times = 1) {
        for (; times > 0; --times) {
            waiting_[n_waiting_++] = object;
            if (n_waiting_ == most_waiting) draw();
        }
    }

    void finish() {
        draw();
        add_to_tables();
    }

  private:
    static constexpr std::int64_t most_counted = INT16_MAX - most_waiting;

    void draw() {
        allow_interrupt();
        open_.clear();
        count_below(random_, {waiting_.data(), n_waiting_}, cells_.size(), below_.data(), open_);
        for (const auto [object, lane] : open_) {
            const auto [weights, cuts] = waiting_[object];
            std::size_t cut = settle({weights, cells_.size()}, cuts, seeds_.uniform());
            for (; cut < below_.size(); ++cut) ++below_[cut][lane];
        }
        n_counted_ += static_cast<std::int64_t>(n_waiting_);
        n_waiting_ = 0;
        if (n_counted_ > most_counted) add_to_tables();
    }

    void add_to_tables() {
        std::int64_t* table = tables_;
        const std::span<const LaneNumbers> below(below_);
        const auto cells = cells_;
        const std::int64_t n_counted = n_counted_;
        for (std::size_t lane = 0, used = used_; lane < used; ++lane, table += width_) {
            std::int64_t before = 0;
            for (std::size_t cut = 0; cut < below.size(); ++cut) {
                table[cells[cut]] += below[cut][lane] - before;
                before = below[cut][lane];
            }
            table[cells.back()] += n_counted - before;
        }
        std::fill(below_.begin(), below_.end(), LaneNumbers{});
        n_counted_ = 0;
    }

    std::size_t width_;
    Xoshiro& seeds_;
    LaneGenerators random_;
    Ints cells_;
    std::size_t used_ = 0;
    std::int64_t* tables_ = nullptr;
    std::array<LaneObject, most_waiting> waiting_;
    std::size_t n_waiting_ = 0;
    std::int64_t n_counted_ = 0;
    std::vector<LaneNumbers> below_;  // one less than cells
    std::vector<OpenChoice> open_;
};

}  // namespace sfumato
