// A lower bound of
//     F = w (sum of N_ij^2) - v (sum of R_i^2),    v > 0, w > 0,
// over all tables N with row sums R that objects with sets of rows and certain columns can fill.
//
// Let 0 <= a_ij <= 1 with v (sum over j of a_ij^2) <= w. In each row write
//     m = sum of a N,    p = sum of (1 - a) N,    q = sum of (1 + a) N,    so R^2 = m^2 + p q.
// w N^2 - v m^2 is convex. Objects without a choice have the share p0 of p, and p0 q is linear. The
// others have the share r = p - p0 >= 0. What they add, r q, is bounded by lines:
//     r q <= r Q, where q <= Q;
//     r q <= t q - (t - r) s, where r <= t and s <= q;
//     in some rows together, of which l has the largest q, with the sum r' of r and T >= r':
//     at most r' q_l <= T q_l - (T - r') s, where s <= q_l.
// An entry is near if a < 1 in one row only; these take the first or the second line, as is better
// at the table that the first ones lead to. All others are wide and take the first or the third.
// l is not known: the bound is the smallest over all l. It sees that objects which all go to one
// row leave the others, which no bound of each row for itself can see.
//
// What is left is convex, and split_rows.hpp minimises it.
//
// Let a table with F = f be known. If a bound b charges c more for an object in one of its rows
// than in the cheapest one, these charges sum to at most f - b in a table with F <= f. That limits
// p and q of each row (row_limits.hpp). Within limits
//     p q <= p Q + P q - P Q  and  p q <= p s + T q - T s,  where P <= p <= T and s <= q <= Q,
// so the next bound is sharper, and so are the limits by it. All other tables have F > f. p varies
// least if a is in proportion to what the cells can vary by.
//
// Invariant. Every bound holds for all tables, or, once limits are in use, for those with F <= f.
//
// Letters. Entry: objects that share a set of rows and a column. Listed cell: one of its cells.
// Cost: O(listed cells) for a sweep, a few of them for each l, and a few more where f is known.
// Gain over bounds of each row for itself: ends that are 0.002 to 0.012 nearer (14 and 20 clusters,
// Rand, Jaccard, adjusted Rand).
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ends/largest_row/row_limits.hpp"
#include "ends/largest_row/split_rows.hpp"
#include "spans.hpp"

namespace sfumato::largest_row {

class LargestRowBound {
  public:
    LargestRowBound(std::size_t n_rows, std::size_t n_columns)
        : f_(n_rows, n_columns), known_(n_rows) {}

    // `shares` become the objects in each listed cell of the table that the last bound comes from.
    // `attained` is F of some table, infinite where none is known; minus infinity ends at once.
    double bound(const OpenTable& open, double row_weight, double cell_weight, double attained,
                 std::span<double> shares) {
        f_.open = open;
        f_.v = row_weight;
        f_.w = cell_weight;
        f_.shares = shares;
        attained_ = attained;
        line_.assign(1 + f_.table.size(), 0.0);
        line_[0] = -infinity;
        limits_ = {};
        read();
        if (attained_ == -infinity) return attained_;
        f_.plus = known_.sure_off;
        f_.minus = {std::vector<double>(f_.n_rows()), known_.most, known_.most};
        double found = f_.descend(0.0, infinity);
        const double constant = choose_lines();
        found = std::max(found, f_.descend(constant, infinity));
        if (has_attained()) limits_ = limits_by(charges(), f_, moves_);
        found = std::max(found, by_largest_row(constant, found));
        return has_attained() ? within_limits(found) : found;
    }

    // Where `attained` helped: F is at least line()[0] + sum of line()[1 + cell] N_cell for all
    // tables with F up to `attained`. Minus infinity is the first number elsewhere.
    const std::vector<double>& line() const { return line_; }

  private:
    static constexpr double max_visits = 5e6;  // of listed cells: with more, each row for itself
    static constexpr double rounding = 1e-11;  // of w n^2
    static constexpr std::size_t max_rounds = 12, rounds_anew = 3;
    static constexpr double tiny_room = 1e-6;   // of objects
    static constexpr double least_gain = 0.05;  // of the gap that is left, for another round

    // Of each row in all tables.
    struct Known {
        std::vector<double> sure_off, least, most;  // p0, the least q, Q
        std::vector<double> local;                  // most that near entries add to p

        explicit Known(std::size_t n_rows)
            : sure_off(n_rows), least(n_rows), most(n_rows), local(n_rows) {}
    };
    // Rows that are bounded together: T, and s.
    struct Joint {
        double most_off, least;
    };

    bool has_attained() const { return std::isfinite(attained_); }
    double tolerance() const { return f_.part(rounding); }

    // What the slopes at the present table charge in tables with at most what is attained.
    Charges charges() const {
        return charges_at(f_, std::max(0.0, attained_ - f_.bound_here) + tolerance());
    }

    // An even table to begin with, numbers a, what is known of each row, and the kinds of entries.
    void read() {
        const OpenTable& open = f_.open;
        std::vector<double> room(f_.table.size()), sure(f_.table.size());
        f_.n_objects = 0.0;
        for (std::size_t entry = 0; entry < open.n_entries(); ++entry) {
            const std::size_t from = open.first(entry), to = open.first(entry + 1);
            f_.n_objects += open.count(entry);
            for (std::size_t at = from; at < to; ++at) {
                f_.shares[at] = open.count(entry) / static_cast<double>(to - from);
                (to - from > 1 ? room : sure)[open.cell(at)] += open.count(entry);
            }
        }
        f_.sum_shares();
        for (std::size_t i = 0; i < f_.n_rows(); ++i) read_row(i, room, sure);
        find_kinds();
        f_.sum_main();
    }

    // Numbers a: 1 for the cells of a row that may change most, as many as w / v allows.
    void read_row(std::size_t i, const std::vector<double>& room, const std::vector<double>& sure) {
        known_.sure_off[i] = known_.least[i] = known_.most[i] = known_.local[i] = 0.0;
        double share = f_.w / f_.v;
        for (const std::size_t cell : cells_by_room(i, room)) {
            const double a = f_.keep[cell] = std::sqrt(std::clamp(share, 0.0, 1.0));
            share -= 1.0;
            known_.sure_off[i] += (1.0 - a) * sure[cell];
            known_.least[i] += (1.0 + a) * sure[cell];
            known_.most[i] += (1.0 + a) * (sure[cell] + room[cell]);
        }
    }

    void find_kinds() {
        const OpenTable& open = f_.open;
        f_.kinds.assign(open.n_entries(), certain);
        for (std::size_t entry = 0; entry < open.n_entries(); ++entry) {
            const std::size_t from = open.first(entry), to = open.first(entry + 1);
            if (to - from == 1) continue;
            std::size_t n_off = 0, last = from;
            for (std::size_t at = from; at < to; ++at) {
                if (f_.keep[open.cell(at)] == 1.0) continue;
                ++n_off;
                last = at;
            }
            f_.kinds[entry] = n_off > 1 ? wide : near;
            if (n_off == 1) {
                known_.local[open.row(last)] +=
                    (1.0 - f_.keep[open.cell(last)]) * open.count(entry);
            }
        }
    }

    // The cells of a row, those with most room first.
    std::vector<std::size_t> cells_by_room(std::size_t i, const std::vector<double>& room) const {
        std::vector<std::size_t> order(f_.open.n_columns);
        std::iota(order.begin(), order.end(), i * order.size());
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return room[a] > room[b]; });
        return order;
    }

    // For the near entries of each row the line that loses less at the present table; a constant.
    double choose_lines() {
        const OpenTable& open = f_.open;
        std::vector<double> off(f_.n_rows());
        for (std::size_t entry = 0; entry < open.n_entries(); ++entry) {
            if (f_.kinds[entry] != near) continue;
            for (std::size_t at = open.first(entry); at < open.first(entry + 1); ++at) {
                off[open.row(at)] += (1.0 - f_.keep[open.cell(at)]) * f_.shares[at];
            }
        }
        double constant = 0.0;
        for (std::size_t i = 0; i < f_.n_rows(); ++i) {
            const double local = known_.local[i], least = known_.least[i], q = f_.q(i);
            if ((local - off[i]) * (q - least) < off[i] * (known_.most[i] - q)) {
                f_.plus[i] += local;
                f_.minus[near][i] = least;
                constant += f_.v * local * least;
            }
        }
        return constant;
    }

    // The bound by the row with the largest q of those that may exceed all of the present table.
    double by_largest_row(double constant, double alone) {
        double largest = 0.0;
        for (std::size_t i = 0; i < f_.n_rows(); ++i) largest = std::max(largest, f_.q(i));
        std::vector<std::size_t> rows;
        for (std::size_t i = 0; i < f_.n_rows(); ++i) {
            if (known_.most[i] > largest) rows.push_back(i);
        }
        const double visits = static_cast<double>(rows.size() * f_.open.cells.size());
        if (rows.empty() || visits > max_visits) return alone;
        const Joint joint = join(rows);
        for (const std::size_t i : rows) f_.minus[wide][i] = joint.least;
        constant += f_.v * joint.least * joint.most_off;
        std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
            return known_.most[a] > known_.most[b];
        });
        const std::vector<double> shares(f_.shares.begin(), f_.shares.end()), table = f_.table;
        std::vector<double> worst = shares;
        RowLimits limits;
        double found = infinity;
        for (const std::size_t i : rows) {
            std::ranges::copy(shares, f_.shares.begin());
            f_.table = table;
            f_.plus[i] += joint.most_off;
            const double own = f_.descend(constant, found);
            if (has_attained()) unite(limits, limits_by(charges(), f_, moves_));
            f_.plus[i] -= joint.most_off;
            if (own < found) {
                found = own;
                worst.assign(f_.shares.begin(), f_.shares.end());
            }
            if (found <= alone) {
                std::ranges::copy(shares, f_.shares.begin());
                return found;
            }
        }
        intersect(limits_, limits);
        std::ranges::copy(worst, f_.shares.begin());
        return found;
    }

    // The largest q is at least their mean, and q = 2 R - p.
    Joint join(const std::vector<std::size_t>& rows) const {
        const OpenTable& open = f_.open;
        std::vector<char> is_joint(f_.n_rows());
        double sure_off = 0.0, least = 0.0;
        for (const std::size_t i : rows) {
            is_joint[i] = true;
            sure_off += known_.sure_off[i] + known_.local[i];
            least = std::max(least, known_.least[i]);
        }
        double most_off = 0.0, surely_there = 0.0;  // T, and objects that no other row can take
        for (std::size_t entry = 0; entry < open.n_entries(); ++entry) {
            bool is_there = true;
            double off = 0.0;
            for (std::size_t at = open.first(entry); at < open.first(entry + 1); ++at) {
                if (is_joint[open.row(at)]) {
                    off = std::max(off, 1.0 - f_.keep[open.cell(at)]);
                } else {
                    is_there = false;
                }
            }
            if (is_there) surely_there += open.count(entry);
            if (f_.kinds[entry] == wide) most_off += off * open.count(entry);
        }
        const double mean =
            (2.0 * surely_there - sure_off - most_off) / static_cast<double>(rows.size());
        return {most_off, std::max(least, mean)};
    }

    // The bound by the limits of tables with at most what is attained, as long as they shrink.
    double within_limits(double found) {
        f_.sum_shares();
        double best = -infinity;
        std::vector<double> mix(f_.n_rows());
        for (std::size_t round = 0; round < max_rounds; ++round) {
            if (attained_ - found <= tolerance()) return attained_;
            const double constant = choose_lines_within(mix, 1.0 / static_cast<double>(round + 1));
            const double own = f_.descend(constant, attained_);
            if (f_.bound_here > best) {
                best = f_.bound_here;
                line_[0] = constant - f_.cell_squares() + f_.main_squares();
                for (std::size_t cell = 0; cell < f_.table.size(); ++cell) {
                    line_[1 + cell] = f_.slope(cell, near);
                }
            }
            const Charges charged = charges();
            if (round < rounds_anew) {
                keep_by_room(charged);
                limits_ = limits_by(charged, f_, moves_);
            } else {
                intersect(limits_, limits_by(charged, f_, moves_));
            }
            const double gain = own - found;
            found = std::max(found, own);
            if (gain < least_gain * (attained_ - found)) break;
        }
        return std::min(found, attained_);
    }

    // For each row a mean of both lines, where mix is the share of the first, moved by a step to
    // the line that loses less at the present table; a constant.
    double choose_lines_within(std::vector<double>& mix, double step) {
        double constant = 0.0;
        for (std::size_t i = 0; i < f_.n_rows(); ++i) {
            const double low = limits_.p.least[i], high = limits_.p.most[i];
            const double least = limits_.q.least[i], most = limits_.q.most[i];
            const double p = f_.p(i), q = f_.q(i);
            const bool is_low = (p - low) * (most - q) < (high - p) * (q - least);
            mix[i] += step * ((is_low ? 1.0 : 0.0) - mix[i]);
            f_.plus[i] = std::lerp(high, low, mix[i]);
            for (auto& of_kind : f_.minus) of_kind[i] = std::lerp(least, most, mix[i]);
            constant += f_.v * std::lerp(high * least, low * most, mix[i]);
        }
        return constant;
    }

    // Numbers a anew: min(1, x times what a cell may still change by), with squares that sum to
    // w / v in each row.
    void keep_by_room(const Charges& charged) {
        auto [least, room] = ranges_of(
            f_.open, charged, f_.table.size(), [&](std::size_t at) { return f_.open.cell(at); },
            [](std::size_t) { return 1.0; }, moves_);
        for (std::size_t cell = 0; cell < room.size(); ++cell) {
            room[cell] = room[cell] - least[cell] + tiny_room;
        }
        for (std::size_t i = 0; i < f_.n_rows(); ++i) {
            const std::vector<std::size_t> order = cells_by_room(i, room);
            double squares = 0.0, share = f_.w / f_.v;
            for (const std::size_t cell : order) squares += room[cell] * room[cell];
            for (const std::size_t cell : order) {
                const double own = room[cell] * room[cell];
                const double a = std::sqrt(std::min(1.0, std::max(0.0, share) * own / squares));
                f_.keep[cell] = a;
                share -= a * a;
                squares = std::max(squares - own, tiny_room * tiny_room);
            }
        }
        f_.sum_main();
    }

    SplitRows f_;
    Known known_;
    double attained_ = infinity;
    RowLimits limits_;  // of tables with at most what is attained
    MoveLists moves_;   // scratch
    std::vector<double> line_;
};

}  // namespace sfumato::largest_row
