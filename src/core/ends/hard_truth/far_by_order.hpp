// A second search for the far end against a hard truth, for squares:
//     the largest value of kappa sum_i R_i^2 - 2 sum_ij N_ij^2 over the compatible tables.
//
// Problem. Where sets are large, one row takes most objects, another one most of the rest, and so
// on. If rows are much alike, nearly as good a table exists for each of the k! orders of the rows.
// A search on boxes of row sums (far.hpp) has to look at all of them, one by one.
//
// Idea. Number the rows by their sums, x_1 >= ... >= x_k, and cut boxes lo_m <= x_m <= hi_m of
// these sorted sums. In a box x_m^2 is at most c_m x_m - lo_m hi_m with c_m = lo_m + hi_m. For any
// number a
//     kappa c N - 2 N^2 <= a N + (kappa c - a)^2 / 8,
// so the value is at most a sum of constants and, for each object, the largest a of a cell that is
// open to it. Each column has a home, the row that is open to most of its objects. The numbers a
// are chosen by rank: alpha_m for the row of rank m in the columns of which it is the home, beta_m
// where the home has a later rank, gamma_m where it has an earlier one. beta and gamma fall with m,
// and neither alpha_m nor gamma_m exceeds beta_(m-1). Then an object takes the first row of its
// set, or stays at home where alpha is larger. So what a row adds to the bound depends on the set
// of rows before it, and the worst order is found by dynamic programming over sets of rows. In its
// place in an order a row may have limits lo, hi of its own that are narrower than those of the
// box.
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
// Letters. P: set of the rows placed before. F(S): objects whose set meets S.
// Cost: O(k^2 2^k) for a bound, O(l k 2^k) beforehand.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <type_traits>
#include <vector>

#include "ends/hard_truth/best_table.hpp"
#include "ends/hard_truth/ranks.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "psi/for_hard_truth.hpp"

namespace sfumato::hard_truth {

// The bound of one box, as above.
class OrderBound {
  public:
    using Ranked = std::array<double, most_rows>;  // by rank of the rows

    // Sorted row sums.
    struct Box {
        std::array<Count, most_rows> lo, hi;
    };
    // Of cells in columns whose home has a later rank, that rank, or an earlier one.
    struct CellCounts {
        Ranked later, home, earlier;
    };

    explicit OrderBound(int k) : k_(static_cast<std::size_t>(k)), all_((Set{1} << k) - 1) {}

    void load(const Ranks& ranks, double kappa);

    // The box of all tables.
    Box whole_box() const;

    // Narrows a box. False if it is empty.
    bool tighten(Box& box) const;

    // The bound with the numbers a that are best for these counts; minus infinity if no order of
    // the rows is left in the box. The worst order is remembered.
    double bound(const Box& box, const CellCounts& counts);

    // The table of the worst order, column by column, and its row sums by rank.
    void worst_table(std::vector<Count>& table, std::array<Count, most_rows>& sums) const;

    // What fits a table with rows in the worst order.
    CellCounts counts_of(const std::vector<Count>& table) const;
    // What fits a table with rows in the order of their sums.
    CellCounts sorted_counts_of(std::span<const Count> table) const;

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity(), tiny = 1e-9;

    // What the row that follows on a set of rows adds: sums over columns of objects that take it,
    // each times w or 1 - w.
    struct Step {
        double later, later_rest;      // in columns whose home is still to come
        double home, home_rest;        // in columns of which it is the home
        double earlier, earlier_rest;  // in other columns, of objects that are not open to the home
    };
    // Sums over columns of 1, w and w^2.
    struct Columns {
        double one = 0.0, weight = 0.0, square = 0.0;
        void add(double w) {
            one += 1.0;
            weight += w;
            square += w * w;
        }
        Columns operator+(const Columns& other) const {
            return {one + other.one, weight + other.weight, square + other.square};
        }
        Columns operator-(const Columns& other) const {
            return {one - other.one, weight - other.weight, square - other.square};
        }
        // Sum of (d + w e)^2 / 8.
        double cost(double d, double e) const {
            const double most = square * e * e;
            return d == 0.0 ? most / 8.0 : (one * d * d + 2.0 * weight * d * e + most) / 8.0;
        }
    };

    std::size_t place(Set before, std::size_t row) const { return before * k_ + row; }
    CellCounts counts_in(std::span<const Count> table,
                         const std::array<std::size_t, most_rows>& order) const;
    void choose_numbers(const Box& box, const CellCounts& counts);

    std::size_t k_;
    Set all_;
    double kappa_ = 0.0;
    const Ranks* ranks_ = nullptr;
    std::vector<std::size_t> home_;            // by column
    std::vector<double> weight_;               // by column: w
    std::vector<std::vector<Count>> at_home_;  // by column: F, of objects that may stay at home
    std::vector<std::vector<Count>> no_home_;  // by column: F, of all others
    std::vector<Count> stay_;                  // by column: objects that may stay at home
    std::vector<Count> total_;                 // F of all columns
    std::array<Count, most_rows + 1> most_{};  // largest F of m rows
    std::array<Count, most_rows> sure_{};      // objects that are open to this row only
    std::array<Columns, most_rows> own_;       // by row: columns of which it is the home
    std::vector<Columns> own_of_;              // by set of rows: the same
    std::vector<Step> steps_;                  // by set and row
    std::vector<double> leaving_;  // by set and row: objects that leave each home, most first
    Ranked alpha_{}, beta_{}, gamma_{};
    std::vector<double> best_;        // by set of rows placed: the most that the others add
    std::vector<std::uint8_t> next_;  // by set of rows placed: the row that follows
    std::array<std::size_t, most_rows> order_{};  // the worst
};

inline void OrderBound::load(const Ranks& ranks, double kappa) {
    ranks_ = &ranks;
    kappa_ = kappa;
    const std::size_t n_sets = std::size_t{all_} + 1, l = ranks.n_columns();
    home_.assign(l, 0);
    weight_.resize(l);
    own_.fill({});
    total_.assign(n_sets, 0);
    Count largest = 0;
    for (std::size_t j = 0; j < l; ++j) largest = std::max(largest, ranks[j][all_]);
    for (std::size_t j = 0; j < l; ++j) {
        const Count* f = ranks[j];
        for (std::size_t i = 1; i < k_; ++i) {
            if (f[Set{1} << i] > f[Set{1} << home_[j]]) home_[j] = i;
        }
        weight_[j] = static_cast<double>(f[all_]) / static_cast<double>(largest);
        own_[home_[j]].add(weight_[j]);
        for (std::size_t s = 0; s < n_sets; ++s) total_[s] += f[s];
    }
    most_.fill(0);
    own_of_.assign(n_sets, {});
    for (Set s = 0; s <= all_; ++s) {
        if (s > 0) own_of_[s] = own_of_[s & (s - 1)] + own_[std::countr_zero(s)];
        Count& most = most_[static_cast<std::size_t>(std::popcount(s))];
        most = std::max(most, total_[s]);
    }
    for (std::size_t i = 0; i < k_; ++i) sure_[i] = total_[all_] - total_[all_ ^ (Set{1} << i)];

    at_home_.assign(l, std::vector<Count>(n_sets, 0));
    no_home_ = at_home_;
    stay_.assign(l, 0);
    ranks.each_type([&](std::size_t j, Set set, Count count) {
        const Set home = Set{1} << home_[j];
        if (set & home) {
            at_home_[j][set ^ home] += count;
            stay_[j] += count;
        } else {
            no_home_[j][set] += count;
        }
    });
    for (std::size_t j = 0; j < l; ++j) {
        to_rank(at_home_[j].data(), all_);
        to_rank(no_home_[j].data(), all_);
    }
    steps_.assign(n_sets * k_, {});
    leaving_.assign(n_sets * k_ * k_, 0.0);
    for (Set before = 0; before < all_; ++before) {
        for (std::size_t i = 0; i < k_; ++i) {
            const Set bit = Set{1} << i;
            if (before & bit) continue;
            Step& step = steps_[place(before, i)];
            double* leaving = leaving_.data() + place(before, i) * k_;
            for (std::size_t j = 0; j < l; ++j) {
                const double w = weight_[j];
                const auto rise = [&](const std::vector<Count>& f) {
                    return static_cast<double>(f[before | bit] - f[before]);
                };
                if (home_[j] == i) {
                    const auto home = static_cast<double>(stay_[j] - at_home_[j][before]);
                    step.home += w * home;
                    step.home_rest += (1.0 - w) * home;
                } else if (before >> home_[j] & 1U) {
                    leaving[home_[j]] += w * rise(at_home_[j]);
                    step.earlier += w * rise(no_home_[j]);
                    step.earlier_rest += (1.0 - w) * rise(no_home_[j]);
                } else {
                    const double later = rise(at_home_[j]) + rise(no_home_[j]);
                    step.later += w * later;
                    step.later_rest += (1.0 - w) * later;
                }
            }
            std::sort(leaving, leaving + k_, std::greater{});
        }
    }
    best_.resize(n_sets);
    next_.resize(n_sets);
}

inline OrderBound::Box OrderBound::whole_box() const {
    Box box;
    box.lo.fill(0);
    box.hi.fill(total_[all_]);
    return box;
}

// The m largest sums together are at most F of some m rows, and all of them are n. A sum is at most
// the mean of those from an earlier rank on, and at least the mean of those up to a later rank.
inline bool OrderBound::tighten(Box& box) const {
    const Count n = total_[all_];
    for (int round = 0; round < 2; ++round) {
        for (std::size_t m = 0; m < k_; ++m) {
            Count before = 0;
            for (std::size_t q = 0; q <= m; ++q) {
                const Count left = most_[m + 1] - before;
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
                const Count left = n - std::min(before, most_[m]) - after;
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

inline void OrderBound::choose_numbers(const Box& box, const CellCounts& counts) {
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

inline double OrderBound::bound(const Box& box, const CellCounts& counts) {
    choose_numbers(box, counts);
    std::array<Ranked, most_rows> gains{};  // by rank: of the objects that leave a home, most first
    std::array<std::size_t, most_rows> n_gains{};
    std::array<Count, most_rows> least_before{};
    for (std::size_t m = 0; m < k_; ++m) {
        for (std::size_t r = 0; r < m; ++r) {
            if (gamma_[m] > alpha_[r]) gains[m][n_gains[m]++] = gamma_[m] - alpha_[r];
        }
        std::sort(gains[m].begin(), gains[m].begin() + static_cast<std::ptrdiff_t>(n_gains[m]),
                  std::greater{});
        if (m > 0) least_before[m] = least_before[m - 1] + box.lo[m - 1];
    }
    best_[all_] = 0.0;
    for (Set before = all_; before-- > 0;) {
        const auto m = static_cast<std::size_t>(std::popcount(before));
        const double slope = kappa_ * static_cast<double>(box.lo[m] + box.hi[m]);
        double best = -infinity;
        for (std::size_t i = 0; i < k_; ++i) {
            const Set with = before | Set{1} << i;
            if (with == before || best_[with] == -infinity) continue;
            const Count lo = std::max(box.lo[m], sure_[i]);
            const Count hi = std::min(box.hi[m], total_[with] - least_before[m]);
            if (lo > hi) continue;
            const Step& step = steps_[place(before, i)];
            const double own_slope = kappa_ * static_cast<double>(lo + hi), d = own_slope - slope;
            double value = best_[with] - kappa_ * static_cast<double>(lo) * static_cast<double>(hi);
            value += slope * (step.later_rest + step.home_rest + step.earlier_rest);
            value += beta_[m] * step.later + alpha_[m] * step.home + gamma_[m] * step.earlier;
            value += (own_of_[all_] - own_of_[with]).cost(d, slope - beta_[m]);
            value += own_[i].cost(d, slope - alpha_[m]);
            value += own_of_[before].cost(d, slope - gamma_[m]);
            const double* leaving = leaving_.data() + place(before, i) * k_;
            for (std::size_t q = 0; q < n_gains[m]; ++q) value += gains[m][q] * leaving[q];
            if (value > best) {
                best = value;
                next_[before] = static_cast<std::uint8_t>(i);
            }
        }
        best_[before] = best;
    }
    if (best_[0] == -infinity) return -infinity;
    Set before = 0;
    for (std::size_t m = 0; m < k_; ++m) {
        order_[m] = next_[before];
        before |= Set{1} << order_[m];
    }
    return best_[0];
}

inline void OrderBound::worst_table(std::vector<Count>& table,
                                    std::array<Count, most_rows>& sums) const {
    const std::size_t l = ranks_->n_columns();
    std::array<std::size_t, most_rows> rank{};
    for (std::size_t m = 0; m < k_; ++m) rank[order_[m]] = m;
    table.assign(l * k_, 0);
    for (std::size_t j = 0; j < l; ++j) {
        Count* column = table.data() + j * k_;
        const std::size_t home = home_[j];
        Set before = 0;
        Count left = stay_[j];
        for (std::size_t m = 0; m < k_; ++m) {
            const std::size_t i = order_[m];
            const Set with = before | Set{1} << i;
            column[i] += no_home_[j][with] - no_home_[j][before];
            if (i != home && (m < rank[home] || gamma_[m] > alpha_[rank[home]])) {
                const Count leaving = at_home_[j][with] - at_home_[j][before];
                column[i] += leaving;
                left -= leaving;
            }
            before = with;
        }
        column[home] += left;
    }
    for (std::size_t m = 0; m < k_; ++m) {
        sums[m] = 0;
        for (std::size_t j = 0; j < l; ++j) sums[m] += table[j * k_ + order_[m]];
    }
}

inline OrderBound::CellCounts OrderBound::counts_in(
    std::span<const Count> table, const std::array<std::size_t, most_rows>& order) const {
    CellCounts counts{};
    Set before = 0;
    for (std::size_t m = 0; m < k_; ++m) {
        const std::size_t i = order[m];
        for (std::size_t j = 0; j < weight_.size(); ++j) {
            const double part = weight_[j] * static_cast<double>(table[j * k_ + i]);
            const bool is_earlier = before >> home_[j] & 1U;
            (home_[j] == i ? counts.home : is_earlier ? counts.earlier : counts.later)[m] += part;
        }
        const Columns earlier = own_of_[before];
        before |= Set{1} << i;
        const Columns later = own_of_[all_] - own_of_[before];
        counts.later[m] /= std::max(later.square, tiny);
        counts.home[m] /= std::max(own_[i].square, tiny);
        counts.earlier[m] /= std::max(earlier.square, tiny);
    }
    return counts;
}

inline OrderBound::CellCounts OrderBound::counts_of(const std::vector<Count>& table) const {
    return counts_in(table, order_);
}

inline OrderBound::CellCounts OrderBound::sorted_counts_of(std::span<const Count> table) const {
    std::array<Count, most_rows> sums{};
    for (std::size_t at = 0; at < table.size(); ++at) sums[at % k_] += table[at];
    std::array<std::size_t, most_rows> order{};
    for (std::size_t i = 0; i < k_; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k_),
                     [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
    return counts_in(table, order);
}

// Best-first branch and bound on boxes of sorted row sums.
template <class Psi, int K>
class FarByOrder {
  public:
    using Number = typename Psi::Number;

    static constexpr std::int64_t nodes_per_box = 20;  // that take as long in far.hpp

    FarByOrder(const Psi& psi, int k) : psi_(psi), k_(static_cast<std::size_t>(k)), order_(k) {}

    void start(const Ranks& ranks, Number weight, BestTable<Psi, K>& best) {
        best_ = &best;
        weight_ = weight;
        slack_ = psi_.slack(ranks.total());
        const auto n = static_cast<double>(ranks.total());
        largest_ = std::max(1.0, (2.0 + static_cast<double>(weight)) * n * n);
        order_.load(ranks, static_cast<double>(weight));
        nodes_.clear();
        open_ = {};
        n_visited_ = 0;
        visit(order_.whole_box(), order_.sorted_counts_of(best.table()), infinity, first_rounds);
    }

    void advance(const Limits& limits) {
        while (!is_closed() && !limits.reached(n_visited_)) {
            allow_interrupt();
            branch();
        }
    }

    bool is_closed() const { return open_.empty() || is_closed(open_.top().bound); }

    Number bound() const { return is_closed() ? best_->value() : whole(open_.top().bound); }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    static constexpr int first_rounds = 12, rounds = 3;  // of improving the numbers a

    struct Node {
        OrderBound::Box box;
        OrderBound::CellCounts counts;
        std::size_t rank;  // the box will be cut into x_rank <= point
        Count point;       // and x_rank > point
    };
    struct Open {
        double bound;
        std::size_t node;
        // The top of the queue has the largest bound; among equals the oldest.
        bool operator<(const Open& other) const {
            return bound != other.bound ? bound < other.bound : node > other.node;
        }
    };

    // What a bound in floating point says of the value.
    Number whole(double bound) const {
        const double safe = bound + rounding * largest_;  // terms as large as that cancel
        if constexpr (std::is_integral_v<Number>) {
            return static_cast<Number>(std::floor(safe));
        } else {
            return safe + Psi::margin(slack_);
        }
    }

    bool is_closed(double bound) const { return whole(bound) <= best_->value() + slack_; }

    void branch() {
        const Open parent = open_.top();
        open_.pop();
        const Node node = nodes_[parent.node];
        OrderBound::Box below = node.box, above = node.box;
        for (std::size_t m = node.rank; m < k_; ++m) {
            below.hi[m] = std::min(below.hi[m], node.point);
        }
        for (std::size_t m = 0; m <= node.rank; ++m) {
            above.lo[m] = std::max(above.lo[m], node.point + 1);
        }
        visit(below, node.counts, parent.bound, rounds);
        visit(above, node.counts, parent.bound, rounds);
    }

    // Bounds a box, offers the tables of the worst orders, and keeps the box if it may hold a
    // better table. Each round goes towards the numbers that suit the worst order.
    void visit(OrderBound::Box box, OrderBound::CellCounts counts, double bound, int n_rounds) {
        n_visited_ += nodes_per_box;
        if (!order_.tighten(box)) return;
        Node node{box, counts, 0, 0};
        std::array<Count, most_rows> sums{}, at{};
        for (int round = 0; round < n_rounds; ++round) {
            const double found = order_.bound(box, counts);
            if (found == -infinity) return;
            order_.worst_table(table_, sums);
            if (round == 0 || found < bound) {
                node.counts = counts;
                at = sums;
            }
            bound = std::min(bound, found);
            if (round == 0) offer();
            if (is_closed(bound)) return;
            const double part = 1.0 / (round + 2.0);
            const OrderBound::CellCounts suited = order_.counts_of(table_);
            for (std::size_t m = 0; m < k_; ++m) {
                counts.later[m] += part * (suited.later[m] - counts.later[m]);
                counts.home[m] += part * (suited.home[m] - counts.home[m]);
                counts.earlier[m] += part * (suited.earlier[m] - counts.earlier[m]);
            }
        }
        choose_cut(node, at);
        open_.push({bound, nodes_.size()});
        nodes_.push_back(node);
    }

    void offer() {
        PerRow<Count, K> rows{};
        Number value = 0;
        for (std::size_t at = 0; at < table_.size(); ++at) {
            rows[at % k_] += table_[at];
            value -= 2 * psi_(table_[at]);
        }
        for (std::size_t i = 0; i < k_; ++i) value += weight_ * psi_(rows[i]);
        best_->offer(table_, rows, value);
    }

    // Cuts the rank at which the chord is furthest above the square, at the sum in the worst order,
    // but not near an end; among those that are as good the longest.
    void choose_cut(Node& node, const std::array<Count, most_rows>& sums) const {
        double widest = -1.0;
        for (std::size_t m = 0; m < k_; ++m) {
            const Count lo = node.box.lo[m], hi = node.box.hi[m];
            const Count at = std::clamp(sums[m], lo, hi);
            const auto side = static_cast<double>(hi - lo);
            const double gap =
                static_cast<double>(hi - at) * static_cast<double>(at - lo) + 0.05 * side * side;
            if (gap <= widest) continue;
            widest = gap;
            node.rank = m;
            const Count edge = (hi - lo) / 5;
            node.point = std::clamp(at, lo + edge, std::max(lo + edge, hi - 1 - edge));
        }
    }

    Psi psi_;
    std::size_t k_;
    OrderBound order_;
    BestTable<Psi, K>* best_ = nullptr;
    Number weight_{}, slack_{};
    double largest_ = 1.0;  // value of any table, in size
    std::int64_t n_visited_ = 0;
    std::vector<Node> nodes_;
    std::priority_queue<Open> open_;
    std::vector<Count> table_;
};

}  // namespace sfumato::hard_truth
