// Many tables at once: the same object draws for a whole row of tables, side by side, so that the
// generator and the comparisons run as vector instructions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "choices.hpp"
#include "xoshiro.hpp"

// Compiled for several processors, chosen at run time. All arithmetic is on integers, so the draws
// are the same on each.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && \
    !defined(__SANITIZE_ADDRESS__)
#define SFUMATO_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define SFUMATO_CLONES
#endif

namespace sfumato {

constexpr std::size_t n_lanes = 128;
using LaneCounts = std::array<std::int32_t, n_lanes>;

// The generator xoshiro128+ of Blackman & Vigna (2021), one in each lane.
struct LaneGenerators {
    std::array<std::uint32_t, n_lanes> a, b, c, d;

    explicit LaneGenerators(Xoshiro& seeds) {
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            const std::uint64_t first = seeds.next(), second = seeds.next();
            a[lane] = static_cast<std::uint32_t>(first) | 1;  // never all zero
            b[lane] = static_cast<std::uint32_t>(first >> 32);
            c[lane] = static_cast<std::uint32_t>(second);
            d[lane] = static_cast<std::uint32_t>(second >> 32);
        }
    }
};

// In each lane `n_objects` equal objects draw a number of 32 bits; below[i] counts the numbers
// that lie below cuts[i].
SFUMATO_CLONES inline void count_below(LaneGenerators& random, std::int64_t n_objects,
                                       const std::int32_t* cuts, std::size_t n_cuts,
                                       LaneCounts* below) {
    constexpr std::size_t n_together = 32;  // as many as fit into registers
    for (std::int64_t object = 0; object < n_objects; ++object) {
        for (std::size_t first = 0; first < n_lanes; first += n_together) {
            std::int32_t drawn[n_together];
            for (std::size_t i = 0; i < n_together; ++i) {
                const std::size_t lane = first + i;
                drawn[i] = static_cast<std::int32_t>(random.a[lane] + random.d[lane]);
                const std::uint32_t shifted = random.b[lane] << 9;
                random.c[lane] ^= random.a[lane];
                random.d[lane] ^= random.b[lane];
                random.b[lane] ^= random.c[lane];
                random.a[lane] ^= random.d[lane];
                random.c[lane] ^= shifted;
                random.d[lane] = (random.d[lane] << 11) | (random.d[lane] >> 21);
            }
            for (std::size_t cut = 0; cut < n_cuts; ++cut) {
                const std::int32_t limit = cuts[cut];
                std::int32_t* const count = below[cut].data() + first;
                for (std::size_t i = 0; i < n_together; ++i) count[i] += drawn[i] < limit;
            }
        }
    }
}

// A cut at `scaled`, a number up to 2^32, as a signed number of 32 bits.
inline std::int32_t as_cut(double scaled) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(scaled) - (std::int64_t{1} << 31));
}

// Adds the numbers between the cuts to the cells of the first `used` tables, of `width` counts.
inline void add_counts(const std::vector<LaneCounts>& below, const std::vector<std::int64_t>& cells,
                       std::int64_t n_objects, std::size_t used, std::size_t width,
                       std::int64_t* tables) {
    for (std::size_t lane = 0; lane < used; ++lane) {
        std::int64_t* const table = tables + lane * width;
        std::int32_t before = 0;
        for (std::size_t cut = 0; cut < below.size(); ++cut) {
            table[cells[cut]] += below[cut][lane] - before;
            before = below[cut][lane];
        }
        table[cells.back()] += n_objects - before;
    }
}

// Draws tables of types that choose among few cells.
class LaneSampler {
  public:
    LaneSampler() = default;
    // Only the types listed take part.
    LaneSampler(const Choices& choices, std::span<const std::size_t> types) {
        for (const std::size_t type : types) {
            if (choices.counts[type] > 0) add(choices, type);
        }
        // Types that share their cells share their counters.
        std::stable_sort(types_.begin(), types_.end(),
                         [](const Type& x, const Type& y) { return x.cells < y.cells; });
    }

    // Adds `n_draws` tables to `out`, row by row of `width` counts.
    void draw(std::size_t n_draws, std::size_t width, Xoshiro& seeds, std::int64_t* out) const {
        if (types_.empty()) return;
        const std::vector<std::int32_t> cuts = dithered(seeds);
        LaneGenerators random(seeds);
        std::vector<LaneCounts> below;
        for (std::size_t first = 0; first < n_draws; first += n_lanes) {
            const std::size_t used = std::min(n_lanes, n_draws - first);
            std::int64_t* const tables = out + first * width;
            const std::int32_t* cut = cuts.data();
            for (std::size_t at = 0; at < types_.size();) {
                const auto& cells = types_[at].cells;
                const std::size_t n_cuts = cells.size() - 1;
                below.assign(n_cuts, LaneCounts{});
                std::int64_t n_objects = 0;
                for (; at < types_.size() && types_[at].cells == cells; ++at) {
                    count_below(random, types_[at].count, cut, n_cuts, below.data());
                    n_objects += types_[at].count;
                    cut += n_cuts;
                }
                add_counts(below, cells, n_objects, used, width, tables);
            }
        }
    }

  private:
    struct Type {
        std::vector<std::int64_t> cells;  // the likeliest comes last: no cut is near one
        std::vector<double> cumulative;   // probability of the first cells, one less than cells
        std::int64_t count;
    };

    void add(const Choices& choices, std::size_t type) {
        const auto cells = choices.cells_of(type);
        const auto weights = choices.weights_of(type);
        const auto likeliest = static_cast<std::size_t>(
            std::max_element(weights.begin(), weights.end()) - weights.begin());
        double total = 0.0, sum = 0.0;
        for (const double weight : weights) total += weight;
        Type added{{}, {}, choices.counts[type]};
        for (std::size_t option = 0; option < cells.size(); ++option) {
            if (option == likeliest) continue;
            added.cells.push_back(cells[option]);
            added.cumulative.push_back((sum += weights[option]) / total);
        }
        added.cells.push_back(cells[likeliest]);
        types_.push_back(std::move(added));
    }

    // Cuts as signed numbers of 32 bits. Rounding down after a uniform shift keeps the
    // probability of every choice exact on average over the shift.
    std::vector<std::int32_t> dithered(Xoshiro& seeds) const {
        std::vector<std::int32_t> cuts;
        for (const Type& type : types_) {
            const double shift = seeds.uniform();
            for (const double probability : type.cumulative) {
                cuts.push_back(as_cut(probability * 0x1.0p32 + shift));
            }
        }
        return cuts;
    }

    std::vector<Type> types_;
};

}  // namespace sfumato
