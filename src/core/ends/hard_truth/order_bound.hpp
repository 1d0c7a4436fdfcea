// An upper bound of
//     kappa sum_i R_i^2 - 2 sum_ij N_ij^2
// over the compatible tables whose row sums, sorted, lie in a box.
//
// Problem. Where sets are large, one row takes most objects, another one most of the rest, and so
// on. If rows are much alike, nearly as good a table exists for each of the k! orders of the rows.
// A bound of boxes of row sums (far.hpp) has to see each of them in a box of its own.
//
// Idea. Number the rows by their sums, x_1 >= ... >= x_k, with lo_m <= x_m <= hi_m in the box. Then
// x_m^2 is at most c_m x_m - lo_m hi_m with c_m = lo_m + hi_m. For any number a
//     kappa c N - 2 N^2 <= a N + (kappa c - a)^2 / 8,
// so the value is at most a sum of constants and, for each object, the largest a of a cell that is
// open to it. Each column has a home, the row that is open to most of its objects. The numbers a
// are chosen by rank: alpha_m for the row of rank m in the columns of which it is the home, beta_m
// where the home has a later rank, gamma_m where it has an earlier one.
// Invariant. beta and gamma fall with m, and neither alpha_m nor gamma_m exceeds beta_(m-1).
//
// Then an object takes the first row of its set, or stays at home where alpha is larger. So what a
// row adds to the bound depends on the set of rows before it, and the worst order is found by
// dynamic programming over sets of rows. In its place in an order a row may have limits lo, hi of
// its own that are narrower than those of the box.
//
// What one must know of the order besides: at which rank a home h among the rows before has come,
// where objects leave home for a later row of rank m. They gain (gamma_m - alpha_rank(h))^+ each.
// The ranks of all homes together are known, so the largest gains are paired with the homes that
// lose most, which no order exceeds.
//
// In columns with fewer objects N is smaller. With w = objects / objects of the largest column, the
// numbers are kappa c_m - w (kappa c_m - beta_m) there, and alike for alpha and gamma. They fall
// with m too.
//
// Letters. m: a rank. F(S): objects whose set meets S.
// Cost: O(k^2 2^k) for a bound, O(l k 2^k) beforehand (order_steps.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>

#include "ends/hard_truth/order_steps.hpp"
#include "ends/hard_truth/ranks.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

// Makes numbers fall, by averaging those that rise.
inline void make_fall(std::span<double> numbers) {
    std::array<std::size_t, most_rows> length{};  // of the stretches of equal numbers
    std::array<double, most_rows> mean{};
    std::size_t n_stretches = 0;
    for (const double number : numbers) {
        mean[n_stretches] = number;
        length[n_stretches++] = 1;
        while (n_stretches > 1 && mean[n_stretches - 2] < mean[n_stretches - 1]) {
            --n_stretches;
            const auto own = static_cast<double>(length[n_stretches]);
            const auto former = static_cast<double>(length[n_stretches - 1]);
            mean[n_stretches - 1] =
                (former * mean[n_stretches - 1] + own * mean[n_stretches]) / (former + own);
            length[n_stretches - 1] += length[n_stretches];
        }
    }
    auto at = numbers.begin();
    for (std::size_t stretch = 0; stretch < n_stretches; ++stretch) {
        at = std::fill_n(at, length[stretch], mean[stretch]);
    }
}

class OrderBound {
  public:
    using Ranked = std::array<double, most_rows>;  // by rank of the rows

    // Limits of the sorted row sums.
    struct Box {
        std::array<Count, most_rows> lo, hi;
    };
    // Of cells in columns whose home has a later rank, that rank, or an earlier one.
    struct CellCounts {
        Ranked later, home, earlier;
    };

    explicit OrderBound(int k) : k_(static_cast<std::size_t>(k)), rows_(k) {}

    void load(const Ranks& ranks, double kappa) {
        kappa_ = kappa;
        rows_.load(ranks);
        best_.resize(std::size_t{rows_.all} + 1);
        next_.resize(best_.size());
    }

    // The box of all tables.
    Box whole_box() const {
        Box box;
        box.lo.fill(0);
        box.hi.fill(rows_.total[rows_.all]);
        return box;
    }

    // Narrows a box. False if it is empty. The m largest sums together are at most F of some m
    // rows, and all of them are n. A sum is at most the mean of those from an earlier rank on, and
    // at least the mean of those up to a later rank.
    bool tighten(Box& box) const {
        const Count n = rows_.total[rows_.all];
        for (int round = 0; round < 2; ++round) {
            for (std::size_t m = 0; m < k_; ++m) {
                Count before = 0;
                for (std::size_t q = 0; q <= m; ++q) {
                    const Count left = rows_.most[m + 1] - before;
                    if (left < 0) return false;
                    box.hi[m] = std::min(box.hi[m], left / static_cast<Count>(m - q + 1));
                    before += box.lo[q];
                }
                if (m > 0) box.hi[m] = std::min(box.hi[m], box.hi[m - 1]);
            }
            Count before = 0;
            for (std::size_t m = 0; m < k_; ++m) {
                Count after = 0;
                for (std::size_t q = k_; q-- > m;) {
                    const Count left = n - std::min(before, rows_.most[m]) - after;
                    const auto size = static_cast<Count>(q - m + 1);
                    if (left > 0) box.lo[m] = std::max(box.lo[m], (left + size - 1) / size);
                    after += box.hi[q];
                }
                before += box.hi[m];
            }
            for (std::size_t m = k_ - 1; m-- > 0;) box.lo[m] = std::max(box.lo[m], box.lo[m + 1]);
        }
        for (std::size_t m = 0; m < k_; ++m) {
            if (box.lo[m] > box.hi[m]) return false;
        }
        return true;
    }

    // The bound with the numbers a that are best for these counts; minus infinity if no order of
    // the rows is left in the box. The worst order is remembered.
    double bound(const Box& box, const CellCounts& counts) {
        choose_numbers(box, counts);
        std::array<Rank, most_rows> ranks;
        for (std::size_t m = 0; m < k_; ++m) ranks[m] = know(m, box);
        best_[rows_.all] = 0.0;
        for (Set before = rows_.all; before-- > 0;) {
            best_[before] = most_from(before, box, ranks[std::popcount(before)]);
        }
        if (best_[0] == -infinity) return -infinity;
        Set before = 0;
        for (std::size_t m = 0; m < k_; ++m) {
            order_[m] = next_[before];
            before |= Set{1} << order_[m];
        }
        return best_[0];
    }

    // The table of the worst order, column by column, and its row sums by rank.
    void worst_table(std::vector<Count>& table, std::array<Count, most_rows>& sums) const {
        std::array<std::size_t, most_rows> rank{};
        for (std::size_t m = 0; m < k_; ++m) rank[order_[m]] = m;
        table.assign(rows_.columns.size() * k_, 0);
        sums.fill(0);
        for (std::size_t j = 0; j < rows_.columns.size(); ++j) {
            const auto& [home, weight, stay, at_home, no_home] = rows_.columns[j];
            Count* cells = table.data() + j * k_;
            cells[home] = stay;
            Set before = 0;
            for (std::size_t m = 0; m < k_; ++m) {
                const std::size_t i = order_[m];
                const Set with = before | Set{1} << i;
                cells[i] += no_home[with] - no_home[before];
                if (i != home && (m < rank[home] || gamma_[m] > alpha_[rank[home]])) {
                    const Count leaving = at_home[with] - at_home[before];
                    cells[i] += leaving;
                    cells[home] -= leaving;
                }
                before = with;
            }
            for (std::size_t m = 0; m < k_; ++m) sums[m] += cells[order_[m]];
        }
    }

    // Remembers the order of the row sums of a table, in place of the worst one.
    void order_by_sums(std::span<const Count> table) {
        std::array<Count, most_rows> sums{};
        for (std::size_t at = 0; at < table.size(); ++at) sums[at % k_] += table[at];
        const auto end = order_.begin() + static_cast<std::ptrdiff_t>(k_);
        std::iota(order_.begin(), end, std::size_t{0});
        std::stable_sort(order_.begin(), end,
                         [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
    }

    // What fits a table with rows in the order that is remembered.
    CellCounts counts_of(std::span<const Count> table) const {
        CellCounts counts{};
        Set before = 0;
        for (std::size_t m = 0; m < k_; ++m) {
            const std::size_t i = order_[m];
            for (std::size_t j = 0; j < rows_.columns.size(); ++j) {
                const auto& [home, weight, stay, at_home, no_home] = rows_.columns[j];
                const bool is_earlier = before >> home & 1U;
                Ranked& own = home == i ? counts.home : is_earlier ? counts.earlier : counts.later;
                own[m] += weight * static_cast<double>(table[j * k_ + i]);
            }
            const OrderSteps::Weights earlier = rows_.own_of[before];
            before |= Set{1} << i;
            const OrderSteps::Weights later = rows_.own_of[rows_.all] - rows_.own_of[before];
            counts.later[m] /= std::max(later.square, tiny);
            counts.home[m] /= std::max(rows_.own[i].square, tiny);
            counts.earlier[m] /= std::max(earlier.square, tiny);
        }
        return counts;
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity(), tiny = 1e-9;

    // What a bound knows of each rank.
    struct Rank {
        double slope;        // kappa c
        Count least_before;  // objects in the rows before
        Ranked gains;        // of objects that leave a home for this rank, most first
        std::size_t n_gains;
    };

    void choose_numbers(const Box& box, const CellCounts& counts) {
        for (std::size_t m = 0; m < k_; ++m) {
            const double slope = kappa_ * static_cast<double>(box.lo[m] + box.hi[m]);
            alpha_[m] = slope - 4.0 * counts.home[m];
            beta_[m] = slope - 4.0 * counts.later[m];
            gamma_[m] = slope - 4.0 * counts.earlier[m];
        }
        make_fall({beta_.data(), k_});
        make_fall({gamma_.data(), k_});
        for (std::size_t m = 1; m < k_; ++m) {
            alpha_[m] = std::min(alpha_[m], beta_[m - 1]);
            gamma_[m] = std::min(gamma_[m], beta_[m - 1]);
        }
    }

    Rank know(std::size_t m, const Box& box) const {
        Rank rank{kappa_ * static_cast<double>(box.lo[m] + box.hi[m]), 0, {}, 0};
        for (std::size_t r = 0; r < m; ++r) {
            rank.least_before += box.lo[r];
            if (gamma_[m] > alpha_[r]) rank.gains[rank.n_gains++] = gamma_[m] - alpha_[r];
        }
        std::sort(rank.gains.begin(),
                  rank.gains.begin() + static_cast<std::ptrdiff_t>(rank.n_gains), std::greater{});
        return rank;
    }

    // The most that the rows after a set add, and the first of them.
    double most_from(Set before, const Box& box, const Rank& rank) {
        const auto m = static_cast<std::size_t>(std::popcount(before));
        const double slope = rank.slope, alpha = alpha_[m], beta = beta_[m], gamma = gamma_[m];
        const OrderSteps::Weights earlier = rows_.own_of[before], all = rows_.own_of[rows_.all];
        const OrderSteps::Step* const steps = &rows_.steps[before * k_];
        double best = -infinity;
        std::size_t first = 0;
        for (std::size_t i = 0; i < k_; ++i) {
            const Set with = before | Set{1} << i;
            if (with == before || best_[with] == -infinity) continue;
            const Count lo = std::max(box.lo[m], rows_.sure[i]);
            const Count hi = std::min(box.hi[m], rows_.total[with] - rank.least_before);
            if (lo > hi) continue;
            const double d = kappa_ * static_cast<double>(lo + hi) - slope;
            double value = best_[with] - kappa_ * static_cast<double>(lo) * static_cast<double>(hi);
            value += slope * steps[i].rest;
            value += beta * steps[i].later + alpha * steps[i].home + gamma * steps[i].earlier;
            value += (all - rows_.own_of[with]).cost(d, slope - beta);
            value += rows_.own[i].cost(d, slope - alpha);
            value += earlier.cost(d, slope - gamma);
            const double* leaving = rows_.leaving_for(before, i);
            for (std::size_t q = 0; q < rank.n_gains; ++q) value += rank.gains[q] * leaving[q];
            if (value > best) {
                best = value;
                first = i;
            }
        }
        next_[before] = static_cast<std::uint8_t>(first);
        return best;
    }

    std::size_t k_;
    OrderSteps rows_;
    double kappa_ = 0.0;
    Ranked alpha_{}, beta_{}, gamma_{};
    std::vector<double> best_;        // by set of rows placed: the most that the others add
    std::vector<std::uint8_t> next_;  // by set of rows placed: the row that follows
    std::array<std::size_t, most_rows> order_{};
};

}  // namespace sfumato::hard_truth
