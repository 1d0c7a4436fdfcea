// Both ends of the largest matching when a rough clustering of at most three clusters (rows) meets
// a hard truth of at most three classes (columns). Missing clusters and classes are empty ones.
//
// Idea. By duality the smallest end is a minimum over two whole numbers x and y. A convex function
// below it gives the bound; slices of constant x are tried outwards from its minimum.
// Invariant. A side is given up only when no slice further out can hold a smaller total.
//
// Letters. d_j(I): objects of class j whose set of rows lies within I. u = (0, x, y) and v_j:
// potentials (dual variables) of the rows and of the classes.
// Cost: largest end O(1); smallest end at most max_nodes slices of constant x, a few points each.
// Gain: 0.1 us instead of 1.5 us by largest.hpp; about 1 us instead of 10 ms or more by an integer
// program.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "ends/found_end.hpp"
#include "spans.hpp"

namespace sfumato {

// Objects by set of rows (a bit mask) and class. Also used for d_j(I), by I and class.
using ThreeCounts = std::array<std::array<std::int64_t, 3>, 8>;
using ThreeTable = std::array<std::array<std::int64_t, 3>, 3>;

struct ThreeMatch {
    ThreeTable table;
    std::int64_t value;
    std::int64_t bound;
};

inline constexpr std::array<std::array<std::size_t, 3>, 6> three_matchings{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

// The best of the six matchings, as the class of each row, and its total.
inline std::pair<std::array<std::size_t, 3>, std::int64_t> match_three(const ThreeTable& table) {
    std::pair<std::array<std::size_t, 3>, std::int64_t> best{three_matchings[0], -1};
    for (const auto& matching : three_matchings) {
        const std::int64_t total =
            table[0][matching[0]] + table[1][matching[1]] + table[2][matching[2]];
        if (total > best.second) best = {matching, total};
    }
    return best;
}

// d_j(I) is the sum over the subsets of I, taken one row at a time.
inline ThreeCounts sum_three_subsets(ThreeCounts counts) {
    for (std::size_t row = 1; row < 8; row <<= 1) {
        for (std::size_t set = 0; set < 8; ++set) {
            if ((set & row) == 0) continue;
            for (std::size_t j = 0; j < 3; ++j) counts[set][j] += counts[set ^ row][j];
        }
    }
    return counts;
}

// The largest end. Cell (i, j) holds at most the objects of class j that may be in row i, and a
// class can put all of these into its matched row at once. So one assignment problem decides.
inline ThreeMatch largest_three_match(const ThreeCounts& counts) {
    const ThreeCounts within = sum_three_subsets(counts);
    ThreeTable most;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            most[i][j] = within[7][j] - within[7 ^ (std::size_t{1} << i)][j];
        }
    }
    const auto [matching, total] = match_three(most);
    ThreeMatch result{{}, total, total};
    for (std::size_t i = 0; i < 3; ++i) result.table[i][matching[i]] = most[i][matching[i]];
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = matching[i], partner = std::size_t{1} << i;
        // Objects that may not be in the matched row go to their first row.
        for (std::size_t set = 1; set < 8; ++set) {
            if ((set & partner) != 0) continue;
            result.table[(set & 1) != 0 ? 0 : (set & 2) != 0 ? 1 : 2][j] += counts[set][j];
        }
    }
    return result;
}

// The smallest end: a compatible table whose best matching has the smallest total.
//
// By duality no matching of a table N exceeds m if and only if there are whole numbers u_i and v_j
// with N_ij <= u_i + v_j and total m. By Hall's theorem some compatible table satisfies this if and
// only if u(I) + |I| v_j >= d_j(I) for all I and j.
//
// Adding a number to all u_i and taking it from all v_j changes nothing, so let u = (0, x, y). The
// best v_j is then h_j rounded up, with
//
//     h_j(x, y) = max over I of (d_j(I) - u(I)) / |I|.
//
// So F = x + y + sum_j ceil(h_j) is to be minimised over whole x and y. It lies above the convex
// function f = x + y + sum_j h_j.
class SmallestThreeMatch {
  public:
    SmallestThreeMatch(const ThreeCounts& counts, std::int64_t max_nodes)
        : within_(sum_three_subsets(counts)), nodes_left_(max_nodes) {}

    ThreeMatch solve() {
        std::int64_t y_near = 0;
        const auto [x, lowest] = minimize_convex(
            [&](std::int64_t at) {
                const auto [half_y, value] = Slice(within_, at).minimize(y_near);
                y_near = half_y;
                return value;
            },
            0);
        least_ = ceil_twelfth(lowest);
        search(x, y_near);
        ThreeMatch result{table_below(), 0, 0};
        result.value = match_three(result.table).second;
        assert(!is_closed_ || result.value == total_);
        result.bound = is_closed_ ? result.value : std::min(least_, result.value);
        return result;
    }

  private:
    // value / 12 rounded up; the value is not negative.
    static std::int64_t ceil_twelfth(std::int64_t value) { return (value + 11) / 12; }

    // A minimum of a convex function on the integers that grows on both sides: where it is, and the
    // value there. Steps from `start` are doubled until the function rises; bisection follows.
    template <class Function>
    static std::pair<std::int64_t, std::int64_t> minimize_convex(Function&& function,
                                                                 std::int64_t start) {
        std::int64_t value = function(start);
        std::int64_t sign = 1, next = function(start + 1);
        if (next >= value) {
            sign = -1;
            next = function(start - 1);
            if (next >= value) return {start, value};
        }
        std::int64_t before = start, at = start + sign, step = 1;
        while (true) {
            value = next;
            step *= 2;
            next = function(at + sign * step);
            if (next >= value) break;
            before = at;
            at += sign * step;
        }
        // Downhill from `before` to `at`, not downhill from `at` to `at + sign * step`.
        std::int64_t low = std::min(before + sign, at + sign * (step - 1));
        std::int64_t high = std::max(before + sign, at + sign * (step - 1));
        while (low < high) {
            const std::int64_t middle = low + (high - low) / 2;
            if (function(middle) <= function(middle + 1)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return {low, function(low)};
    }

    // 12 f as a function of y for one x, with y given in halves. f is piecewise linear in y and its
    // corners are at halves, so its minimum over real y is at one of them. Times 12 all values are
    // whole.
    class Slice {
      public:
        Slice(const ThreeCounts& d, std::int64_t x) : x_(x) {
            for (std::size_t j = 0; j < 3; ++j) {
                flat_[j] = std::max({12 * d[1][j], 12 * (d[2][j] - x), 6 * (d[3][j] - x)});
                third_[j] = 4 * (d[7][j] - x);
                half_[j] = 6 * std::max(d[5][j], d[6][j] - x);
                whole_[j] = 12 * d[4][j];
            }
        }

        std::int64_t height(std::size_t j, std::int64_t half_y) const {  // 12 h_j
            return std::max(std::max(flat_[j], third_[j] - 2 * half_y),
                            std::max(half_[j] - 3 * half_y, whole_[j] - 6 * half_y));
        }
        std::int64_t at(std::int64_t half_y) const {
            return 12 * x_ + 6 * half_y + height(0, half_y) + height(1, half_y) + height(2, half_y);
        }
        std::int64_t rounded(std::int64_t y) const {  // F
            return x_ + y + ceil_twelfth(height(0, 2 * y)) + ceil_twelfth(height(1, 2 * y)) +
                   ceil_twelfth(height(2, 2 * y));
        }
        std::pair<std::int64_t, std::int64_t> minimize(std::int64_t near) const {
            return minimize_convex([this](std::int64_t half_y) { return at(half_y); }, near);
        }

      private:
        std::int64_t x_;
        std::array<std::int64_t, 3> flat_, third_, half_, whole_;  // by slope along y
    };

    // A better point has f <= total - 1. Such points form a convex set, so the slices of constant x
    // that meet it are next to each other. They are visited from the lowest one outwards.
    void search(std::int64_t x, std::int64_t half_y) {
        const Slice first(within_, x);
        std::array<std::int64_t, 2> near{};
        near.fill(first.minimize(half_y).first);
        keep(first, x, near[0] >> 1);
        std::array<bool, 2> is_open{true, true};
        is_closed_ = total_ <= least_;
        for (std::int64_t step = 0; !is_closed_; ++step) {
            for (const std::size_t side : {0, 1}) {
                if (!is_open[side] || (step == 0 && side == 1)) continue;
                if (nodes_left_-- <= 0) return;
                const std::int64_t at = side == 0 ? x + step : x - step;
                const Slice line(within_, at);
                const auto [lowest_at, lowest] = line.minimize(near[side]);
                near[side] = lowest_at;
                is_open[side] = can_improve(lowest);
                if (is_open[side]) walk(line, at, lowest_at, lowest);
            }
            is_closed_ = total_ <= least_ || !(is_open[0] || is_open[1]);
        }
    }

    bool can_improve(std::int64_t twelfths) const { return twelfths <= 12 * (total_ - 1); }

    // Visits all points of a slice that may be better. Where f is level, ceil(h_j) - h_j repeats
    // after six steps, so six points stand for the whole stretch. Elsewhere f grows by at least 1/6
    // per step.
    void walk(const Slice& line, std::int64_t x, std::int64_t half_y, std::int64_t lowest) {
        const std::int64_t start = half_y >> 1;  // rounds down
        for (const std::int64_t sign : {1, -1}) {
            int n_level = 0;
            for (std::int64_t y = sign > 0 ? start : start - 1;; y += sign) {
                const std::int64_t value = line.at(2 * y);
                if (!can_improve(value)) {
                    // `start` was rounded down and may lie just outside.
                    if (sign > 0 && y == start) continue;
                    break;
                }
                keep(line, x, y);
                if (value == lowest && ++n_level == 6) y = end_of_level(line, y, sign, lowest);
            }
        }
    }

    static std::int64_t end_of_level(const Slice& line, std::int64_t y, std::int64_t sign,
                                     std::int64_t lowest) {
        std::int64_t step = 1;
        while (line.at(2 * (y + sign * step)) == lowest) step *= 2;
        std::int64_t inside = step / 2, outside = step;
        while (outside - inside > 1) {
            const std::int64_t middle = inside + (outside - inside) / 2;
            (line.at(2 * (y + sign * middle)) == lowest ? inside : outside) = middle;
        }
        return y + sign * inside;
    }

    void keep(const Slice& line, std::int64_t x, std::int64_t y) {
        const std::int64_t total = line.rounded(y);
        if (has_point_ && total >= total_) return;
        has_point_ = true;
        total_ = total;
        x_ = x;
        y_ = y;
    }

    // A compatible table below u_i + v_j. Its columns j are the bases of r(I) = min over J in I of
    // F_j(J) + sum over I \ J of (u_i + v_j), with F_j(J) = d_j(all) - d_j(all \ J) (Edmonds 1970).
    // The greedy base gives row 0 all that it may have, then row 1, then row 2.
    ThreeTable table_below() const {
        const std::array<std::int64_t, 3> u{0, x_, y_};
        const Slice line(within_, x_);
        ThreeTable table;
        for (std::size_t j = 0; j < 3; ++j) {
            const std::int64_t v = ceil_twelfth(line.height(j, 2 * y_));
            std::array<std::int64_t, 8> rank;
            for (std::size_t set = 0; set < 8; ++set) {
                rank[set] = within_[7][j] - within_[7 ^ set][j];
            }
            for (std::size_t i = 0; i < 3; ++i) {
                const std::size_t row = std::size_t{1} << i;
                for (std::size_t set = 0; set < 8; ++set) {
                    if ((set & row) != 0) {
                        rank[set] = std::min(rank[set], rank[set ^ row] + u[i] + v);
                    }
                }
            }
            assert(rank[7] == within_[7][j]);
            table[0][j] = rank[1];
            table[1][j] = rank[3] - rank[1];
            table[2][j] = rank[7] - rank[3];
        }
        return table;
    }

    ThreeCounts within_;
    std::int64_t nodes_left_;
    std::int64_t least_ = 0;  // no total is smaller
    std::int64_t total_ = 0, x_ = 0, y_ = 0;
    bool has_point_ = false, is_closed_ = false;
};

// The end of every instance: solve(objects by set of rows and class) finds that of one.
template <class Solve>
auto match_each(Sets row_sets, Ints classes, const IntGrid& counts, std::size_t n_rows,
                std::size_t n_columns, const Solve& solve) {
    FoundEnds<std::int64_t> found(counts.shape[0], n_rows * n_columns);
    for (std::size_t b = 0; b < counts.shape[0]; ++b) {
        ThreeCounts three{};
        for (std::size_t t = 0; t < classes.size(); ++t) {
            three[row_sets[t]][static_cast<std::size_t>(classes[t])] += counts[b][t];
        }
        const ThreeMatch match = solve(three);
        FoundEnd<std::int64_t> end{{}, match.value, match.bound};
        for (std::size_t i = 0; i < n_rows; ++i) {
            end.table.insert(end.table.end(), match.table[i].begin(),
                             match.table[i].begin() + n_columns);
        }
        found.set(b, end);
    }
    return std::move(found).in_shape(n_rows, n_columns);
}

inline auto largest_match_three(Sets row_sets, Ints classes, const IntGrid& counts,
                                std::size_t n_rows, std::size_t n_columns) {
    return match_each(row_sets, classes, counts, n_rows, n_columns, largest_three_match);
}

inline auto smallest_match_three(Sets row_sets, Ints classes, const IntGrid& counts,
                                 std::size_t n_rows, std::size_t n_columns,
                                 std::int64_t max_nodes) {
    return match_each(row_sets, classes, counts, n_rows, n_columns, [&](const ThreeCounts& three) {
        return SmallestThreeMatch(three, max_nodes).solve();
    });
}

}  // namespace sfumato
