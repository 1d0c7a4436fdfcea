// Local search for a clustering with a small mean loss over draws.
//
// Moves: one object to another cluster or to one of its own; two clusters into one; one cluster
// into two, which grow from two objects that the draws keep apart. The clustering found is no
// worse than the start; there may be a better one.
//
// Letters. s draws of n objects; k clusters of the clustering, in at most `slots` slots, of which
// some may be empty; a line is a cluster of a draw, all draws numbered together. counts holds the
// objects of each line in each slot: the tables of the clustering and all draws.
// Cost: O(n s k) per sweep over the objects; memory O(n s + lines x slots).
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>

#include "draws/draw_list.hpp"
#include "draws/losses.hpp"
#include "hash.hpp"
#include "interrupt.hpp"
#include "share_work.hpp"
#include "spans.hpp"

namespace sfumato::draws {

// The draws object by object, shared by all searches.
template <class Loss>
struct ByObject {
    ByObject(const Loss& loss, const Codes& draws)
        : margins(loss, draws), starts(draws.shape[0] + 1), lines(draws.values.size()) {
        const std::size_t s = draws.shape[0];
        for (std::size_t draw = 0; draw < s; ++draw) {
            starts[draw + 1] = starts[draw] + margins.clusters[draw];
            const Clustering codes = draws[draw];
            for (std::size_t x = 0; x < codes.size(); ++x) {
                lines[x * s + draw] =
                    static_cast<std::uint32_t>(starts[draw] + static_cast<std::size_t>(codes[x]));
            }
        }
    }

    Margins<Loss> margins;
    std::vector<std::size_t> starts;   // (s + 1,): the first line of each draw
    std::vector<std::uint32_t> lines;  // (n, s): the line of each object in each draw
};

template <class Loss>
class Consensus {
  public:
    Consensus(const Loss& loss, Floats weights, const ByObject<Loss>& by_object, std::size_t n,
              std::size_t slots, std::uint64_t seed)
        : loss_(loss),
          weights_(weights),
          by_object_(by_object),
          n_(n),
          s_(weights.size()),
          slots_(slots),
          random_(seed),
          counts_(by_object.starts.back() * slots),
          sizes_(slots),
          sums_(s_),
          own_(n_, none),
          rows_(slots),
          scores_(slots),
          order_(n_) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }

    // Starts from a clustering; from a negative number on, objects are added one by one, in random
    // order, each where it costs least.
    std::pair<std::vector<std::int32_t>, double> search(Clustering start) {
        for (std::size_t x = 0; x < n_; ++x) {
            if (start[x] >= 0) add(x, static_cast<std::size_t>(start[x]));
        }
        shuffle(order_);
        for (const std::size_t x : order_) {
            allow_interrupt();
            if (own_[x] == none) add(x, cheapest(x, none));
        }
        for (int round = 0; round < most_rounds; ++round) {
            for (int sweep = 0; sweep < most_sweeps && move_objects(); ++sweep) {
            }
            const bool merged = merge_clusters(), split = split_clusters();
            if (!merged && !split) break;
        }
        restart();
        std::vector<std::int32_t> labels(n_);
        for (std::size_t x = 0; x < n_; ++x) labels[x] = static_cast<std::int32_t>(own_[x]);
        return {std::move(labels), total(0.0, sums_)};
    }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    static constexpr int most_rounds = 20, most_sweeps = 50, most_regrowths = 3;
    static constexpr double least_gain = 1e-11;         // a smaller change may be rounding
    static constexpr std::size_t most_steps = 1 << 24;  // for the pairs of clusters of one round

    std::int32_t* line(std::size_t x, std::size_t draw) {
        return counts_.data() + by_object_.lines[x * s_ + draw] * slots_;
    }

    void add(std::size_t x, std::size_t slot) {
        const double* rises = loss_.psi.rises();
        for (std::size_t draw = 0; draw < s_; ++draw) {
            std::int32_t& count = line(x, draw)[slot];
            sums_[draw] += rises[count++];
        }
        rows_sum_ += rises[sizes_[slot]++];
        own_[x] = slot;
        used_ = std::max(used_, slot + 1);
    }

    void take_out(std::size_t x) {
        const std::size_t slot = own_[x];
        const double* rises = loss_.psi.rises();
        for (std::size_t draw = 0; draw < s_; ++draw) {
            std::int32_t& count = line(x, draw)[slot];
            sums_[draw] -= rises[--count];
        }
        rows_sum_ -= rises[--sizes_[slot]];
        own_[x] = none;
    }

    void move(std::size_t x, std::size_t slot) {
        take_out(x);
        add(x, slot);
    }

    double total(double more_rows, Floats sums) const {
        double mean = 0.0;
        for (std::size_t draw = 0; draw < s_; ++draw) {
            mean += weights_[draw] *
                    loss_(rows_sum_ + more_rows, by_object_.margins.sums[draw], sums[draw]);
        }
        return mean;
    }

    // Mean losses if object x, which is in no cluster, were added to slots first, ..., last - 1.
    void score(std::size_t x, std::size_t first, std::size_t last) {
        const double* rises = loss_.psi.rises();
        for (std::size_t slot = first; slot < last; ++slot) {
            rows_[slot] = rows_sum_ + rises[sizes_[slot]];
            scores_[slot] = 0.0;
        }
        for (std::size_t draw = 0; draw < s_; ++draw) {
            const std::int32_t* counts = line(x, draw);
            const double weight = weights_[draw], sum = sums_[draw];
            const double columns = by_object_.margins.sums[draw];
            for (std::size_t slot = first; slot < last; ++slot) {
                scores_[slot] += weight * loss_(rows_[slot], columns, sum + rises[counts[slot]]);
            }
        }
    }

    // The best slot for an object that was taken out of `from`, to which it returns unless another
    // one gains something.
    std::size_t cheapest(std::size_t x, std::size_t from) {
        const std::size_t last = std::min(used_ + 1, slots_);
        score(x, 0, last);
        const auto least =
            std::min_element(scores_.begin(), scores_.begin() + static_cast<std::ptrdiff_t>(last));
        if (from != none && scores_[from] <= *least + least_gain) return from;
        return static_cast<std::size_t>(least - scores_.begin());
    }

    bool move_objects() {
        close_ranks();
        shuffle(order_);
        bool moved = false;
        for (const std::size_t x : order_) {
            allow_interrupt();
            const std::size_t from = own_[x];
            take_out(x);
            const std::size_t to = cheapest(x, from);
            add(x, to);
            moved |= to != from;
        }
        return moved;
    }

    // Joins the two clusters that gain most, again and again.
    bool merge_clusters() {
        bool merged = false;
        for (;;) {
            close_ranks();
            const std::size_t steps = by_object_.starts.back();
            std::vector<std::pair<std::size_t, std::size_t>> pairs;
            for (std::size_t j = 1; j < used_; ++j) {
                for (std::size_t i = 0; i < j; ++i) pairs.emplace_back(i, j);
            }
            shuffle(pairs);
            pairs.resize(std::min(pairs.size(), 1 + most_steps / steps));
            double least = total(0.0, sums_) - least_gain;
            std::pair<std::size_t, std::size_t> best{none, none};
            for (const auto& pair : pairs) {
                allow_interrupt();
                const double value = total_if_merged(pair.first, pair.second);
                if (value < least) {
                    least = value;
                    best = pair;
                }
            }
            if (best.first == none) return merged;
            merged = true;
            for (std::size_t x = 0; x < n_; ++x) {
                if (own_[x] == best.second) move(x, best.first);
            }
        }
    }

    double total_if_merged(std::size_t i, std::size_t j) {
        const PsiList& psi = loss_.psi;
        const auto gain = [&](std::size_t a, std::size_t b) {
            return psi(a + b) - psi(a) - psi(b);
        };
        trial_.assign(sums_.begin(), sums_.end());
        for (std::size_t draw = 0; draw < s_; ++draw) {
            for (std::size_t at = by_object_.starts[draw]; at < by_object_.starts[draw + 1]; ++at) {
                const auto a = static_cast<std::size_t>(counts_[at * slots_ + i]);
                const auto b = static_cast<std::size_t>(counts_[at * slots_ + j]);
                if (a > 0 && b > 0) trial_[draw] += gain(a, b);
            }
        }
        return total(gain(sizes_[i], sizes_[j]), trial_);
    }

    bool split_clusters() {
        bool split = false;
        close_ranks();
        for (std::size_t slot = 0, last = used_; slot < last && used_ < slots_; ++slot) {
            if (sizes_[slot] > 1) split |= split_one(slot, used_);
        }
        return split;
    }

    // Lets a second cluster grow in an empty slot, and takes it back unless that gains something.
    bool split_one(std::size_t slot, std::size_t fresh) {
        std::vector<std::size_t> members;
        for (std::size_t x = 0; x < n_; ++x) {
            if (own_[x] == slot) members.push_back(x);
        }
        shuffle(members);
        const double before = total(0.0, sums_);
        move(farthest(members), fresh);
        bool moved = true;
        for (int round = 0; round < most_regrowths && moved; ++round) {
            moved = false;
            for (const std::size_t x : members) {
                allow_interrupt();
                const std::size_t from = own_[x];
                take_out(x);
                score(x, slot, slot + 1);
                score(x, fresh, fresh + 1);
                const std::size_t to = scores_[fresh] < scores_[slot] ? fresh : slot;
                add(x, to);
                moved |= to != from;
            }
        }
        if (total(0.0, sums_) < before - least_gain) return true;
        for (const std::size_t x : members) {
            if (own_[x] != slot) move(x, slot);
        }
        used_ = fresh;
        return false;
    }

    // The member that is with the first one in the fewest draws.
    std::size_t farthest(const std::vector<std::size_t>& members) const {
        const std::uint32_t* first = by_object_.lines.data() + members.front() * s_;
        std::size_t best = members.back();
        double least = 2.0;
        for (const std::size_t x : members) {
            if (x == members.front()) continue;
            const std::uint32_t* other = by_object_.lines.data() + x * s_;
            double together = 0.0;
            for (std::size_t draw = 0; draw < s_; ++draw) {
                if (first[draw] == other[draw]) together += weights_[draw];
            }
            if (together < least) {
                least = together;
                best = x;
            }
        }
        return best;
    }

    // Leaves no empty slot before a used one.
    void close_ranks() {
        for (std::size_t slot = 0; slot < used_; ++slot) {
            if (sizes_[slot] == 0) {
                restart();
                return;
            }
        }
    }

    // Counts everything anew, which also ends what rounding has added up.
    void restart() {
        std::vector<std::size_t> number(slots_, none), labels(own_);
        std::size_t fresh = 0;
        for (const std::size_t slot : labels) {
            if (number[slot] == none) number[slot] = fresh++;
        }
        std::fill(counts_.begin(), counts_.end(), 0);
        std::fill(sizes_.begin(), sizes_.end(), std::size_t{0});
        std::fill(sums_.begin(), sums_.end(), 0.0);
        rows_sum_ = 0.0;
        used_ = 0;
        for (std::size_t x = 0; x < n_; ++x) add(x, number[labels[x]]);
    }

    template <class Item>
    void shuffle(std::vector<Item>& items) {
        for (std::size_t left = items.size(); left > 1; --left) {
            random_ += 0x9e3779b97f4a7c15ULL;
            std::swap(items[left - 1], items[mix(random_) % left]);
        }
    }

    const Loss& loss_;
    Floats weights_;  // of the draws, of sum 1
    const ByObject<Loss>& by_object_;
    std::size_t n_, s_, slots_;
    std::uint64_t random_;
    std::vector<std::int32_t> counts_;  // (lines, slots)
    std::vector<std::size_t> sizes_;    // (slots,)
    std::vector<double> sums_;          // (s,): sum of psi over the cells of each table
    std::vector<std::size_t> own_;      // (n,): the slot of each object
    std::vector<double> rows_, scores_, trial_;
    std::vector<std::size_t> order_;
    double rows_sum_ = 0.0;  // sum of psi over the sizes
    std::size_t used_ = 0;   // slots from here on are empty
};

// One search for each start, each with its own seed, so that threads change nothing: the
// clusterings found, and their mean losses.
template <class Loss>
std::pair<NewGrid<std::int32_t>, std::vector<double>> consensus(
    const Codes& draws, Floats weights, const Codes& starts, std::span<const std::uint64_t> seeds,
    std::size_t slots, std::size_t n_threads) {
    const std::size_t n = draws.shape[1];
    std::vector<std::int32_t> labels(starts.values.size());
    std::vector<double> found(seeds.size());
    const Loss loss(n);
    const ByObject<Loss> by_object(loss, draws);
    share_work(found.size(), n_threads, [&](std::size_t at) {
        Consensus<Loss> search(loss, weights, by_object, n, slots, seeds[at]);
        const auto [best, value] = search.search(starts[at]);
        std::ranges::copy(best, labels.data() + at * n);
        found[at] = value;
    });
    return {{std::move(labels), starts.shape}, std::move(found)};
}

}  // namespace sfumato::draws
