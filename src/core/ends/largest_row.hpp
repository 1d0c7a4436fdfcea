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
// A convex function is bounded by its slopes at any table, and those by the cheapest row of each
// entry. Tables are found by descent: each entry in turn fills its rows as is best for it.
//
// Let a table with F = f be known. If a bound b charges c more for an object in one of its rows
// than in the cheapest one, these charges sum to at most f - b in a table with F <= f. That limits
// p and q of each row: the objects move first that change it most for their charge. Within limits
//     p q <= p Q + P q - P Q  and  p q <= p s + T q - T s,  where P <= p <= T and s <= q <= Q,
// so the next bound is sharper, and so are the limits by it. All other tables have F > f. p varies
// least if a is in proportion to what the cells can vary by.
//
// Letters. Entry: objects that share a set of rows and a column. Listed cell: one of its cells.
// Cost: O(listed cells log) for a sweep, a few of them for each l, and a few more where f is known.
// Gain over bounds of each row for itself: ends that are 0.002 to 0.012 nearer (14 and 20 clusters,
// Rand, Jaccard, adjusted Rand).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato {

// The entries of one table: entry e has counts[e] objects and the listed cells from starts[e] to
// starts[e + 1], of which cells[at] is row * n_columns + column.
struct OpenTable {
    Ints starts, counts, cells;
};

class LargestRowBound {
  public:
    LargestRowBound(std::size_t n_rows, std::size_t n_columns)
        : n_columns_(n_columns),
          table_(n_rows * n_columns),
          keep_(n_rows * n_columns),
          main_(n_rows),
          sure_off_(n_rows),
          least_(n_rows),
          most_(n_rows),
          local_(n_rows),
          mix_(n_rows),
          is_joint_(n_rows) {}

    // `shares` become the objects in each listed cell of the table that the last bound comes from.
    // `attained` is F of some table, infinite where none is known; minus infinity ends at once.
    double bound(const OpenTable& open, double row_weight, double cell_weight, double attained,
                 std::span<double> shares) {
        open_ = open;
        v_ = row_weight;
        w_ = cell_weight;
        shares_ = shares;
        attained_ = attained;
        line_.assign(1 + table_.size(), 0.0);
        line_[0] = -infinity;
        read();
        if (attained_ == -infinity) return attained_;
        plus_ = sure_off_;
        minus_ = {std::vector<double>(n_rows()), most_, most_};
        double found = descend(0.0, infinity);
        const double constant = choose_lines();
        found = std::max(found, descend(constant, infinity));
        limits_ = limits_by_slopes();
        found = std::max(found, by_largest_row(constant, found));
        return std::isfinite(attained_) ? within_limits(found) : found;
    }

    // Where `attained` helped: F is at least line()[0] + sum of line()[1 + cell] N_cell for all
    // tables with F up to `attained`. Minus infinity is the first number elsewhere.
    const std::vector<double>& line() const { return line_; }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    static constexpr double close = 1e-7;        // of w n^2: what further sweeps might still add
    static constexpr double least_curve = 1e-3;  // of w
    static constexpr std::size_t max_sweeps = 8;
    static constexpr double max_visits = 5e6;  // of listed cells: with more, each row for itself
    static constexpr double rounding = 1e-11;  // of w n^2
    static constexpr std::size_t max_rounds = 12, rounds_anew = 3;
    static constexpr double tiny_room = 1e-6;   // of objects
    static constexpr double least_gain = 0.05;  // of the gap that is left, for another round

    enum Kind : std::size_t { certain, near, wide };

    struct Option {
        double slope, curve;
        std::size_t at;
    };

    // Of an object that changes p or q of a row by `gain`.
    struct Move {
        double gain, charge, count;
    };

    // Of p and q of each row.
    struct Limits {
        std::vector<double> least_off, most_off, least, most;
    };

    std::size_t n_rows() const { return main_.size(); }
    std::size_t n_entries() const { return open_.counts.size(); }
    std::size_t first(std::size_t entry) const {
        return static_cast<std::size_t>(open_.starts[entry] - open_.starts[0]);
    }
    std::size_t cell(std::size_t at) const { return static_cast<std::size_t>(open_.cells[at]); }
    std::size_t row(std::size_t at) const { return cell(at) / n_columns_; }
    double count(std::size_t entry) const { return static_cast<double>(open_.counts[entry]); }

    double tolerance() const { return rounding * w_ * n_objects_ * n_objects_; }

    static double dot(const std::vector<double>& x, const std::vector<double>& y) {
        return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    }

    // Numbers a: 1 for the cells of a row that may change most, as many as w / v allows. Then p0,
    // the least and the most q of each row, and a table to begin with.
    void read() {
        std::vector<double> room(table_.size()), sure(table_.size());
        std::fill(table_.begin(), table_.end(), 0.0);
        n_objects_ = 0.0;
        for (std::size_t entry = 0; entry < n_entries(); ++entry) {
            const std::size_t from = first(entry), to = first(entry + 1);
            n_objects_ += count(entry);
            for (std::size_t at = from; at < to; ++at) {
                shares_[at] = count(entry) / static_cast<double>(to - from);
                table_[cell(at)] += shares_[at];
                (to - from > 1 ? room : sure)[cell(at)] += count(entry);
            }
        }
        std::vector<std::size_t> order(n_columns_);
        for (std::size_t i = 0; i < n_rows(); ++i) {
            const std::size_t begin = i * n_columns_;
            std::iota(order.begin(), order.end(), begin);
            std::stable_sort(order.begin(), order.end(),
                             [&](std::size_t a, std::size_t b) { return room[a] > room[b]; });
            sure_off_[i] = least_[i] = most_[i] = 0.0;
            double share = w_ / v_;
            local_[i] = 0.0;
            for (const std::size_t at : order) {
                keep_[at] = std::sqrt(std::clamp(share, 0.0, 1.0));
                share -= 1.0;
                sure_off_[i] += (1.0 - keep_[at]) * sure[at];
                least_[i] += (1.0 + keep_[at]) * sure[at];
                most_[i] += (1.0 + keep_[at]) * (sure[at] + room[at]);
            }
        }
        kinds_.assign(n_entries(), certain);
        for (std::size_t entry = 0; entry < n_entries(); ++entry) {
            const std::size_t from = first(entry), to = first(entry + 1);
            if (to - from == 1) continue;
            std::size_t n_off = 0, last = from;
            for (std::size_t at = from; at < to; ++at) {
                if (keep_[cell(at)] < 1.0) {
                    ++n_off;
                    last = at;
                }
            }
            kinds_[entry] = n_off > 1 ? wide : near;
            if (n_off == 1) local_[row(last)] += (1.0 - keep_[cell(last)]) * count(entry);
        }
        sum_rows();
    }

    void sum_rows() {
        for (std::size_t i = 0; i < n_rows(); ++i) {
            const auto begin = static_cast<std::ptrdiff_t>(i * n_columns_);
            main_[i] =
                std::inner_product(keep_.begin() + begin,
                                   keep_.begin() + begin + static_cast<std::ptrdiff_t>(n_columns_),
                                   table_.begin() + begin, 0.0);
        }
    }

    // Of the function to minimise: w N^2 - v (m^2 + plus q + minus r), with a minus for each kind.
    double slope(std::size_t at, Kind kind) const { return slope_of(cell(at), kind); }
    double slope_of(std::size_t place, Kind kind) const {
        const std::size_t i = place / n_columns_;
        const double a = keep_[place];
        return 2.0 * w_ * table_[place] -
               v_ * (2.0 * main_[i] * a + plus_[i] * (1.0 + a) + minus_[kind][i] * (1.0 - a));
    }

    // A bound by the slopes at the present table, and how far the table is above it.
    std::pair<double, double> certify(double constant) {
        sum_rows();
        const double squares = w_ * dot(table_, table_) - v_ * dot(main_, main_);
        double least = 0.0, here = 0.0;
        for (std::size_t entry = 0; entry < n_entries(); ++entry) {
            double cheapest = infinity;
            for (std::size_t at = first(entry); at < first(entry + 1); ++at) {
                const double own = slope(at, kinds_[entry]);
                cheapest = std::min(cheapest, own);
                here += own * shares_[at];
            }
            least += cheapest * count(entry);
        }
        return {constant - squares + least, here - least};
    }

    // The best bound found by descent; it ends early where the bound reaches `enough`.
    double descend(double constant, double enough) {
        double best = -infinity;
        for (std::size_t sweep = 0;; ++sweep) {
            const auto [bound, gap] = certify(constant);
            bound_here_ = bound;
            best = std::max(best, bound);
            if (best >= enough || gap <= close * w_ * n_objects_ * n_objects_) return best;
            if (sweep == max_sweeps) return best;
            for (std::size_t entry = 0; entry < n_entries(); ++entry) {
                if (entry % 64 == 0) allow_interrupt();
                if (first(entry + 1) - first(entry) > 1) settle(entry);
            }
        }
    }

    // Fills the cells of one entry as is best while all others stay: each cell of it is in another
    // row, so the function is a sum over these cells, and all that are used have the same slope.
    void settle(std::size_t entry) {
        options_.clear();
        for (std::size_t at = first(entry); at < first(entry + 1); ++at) {
            const double a = keep_[cell(at)];
            const double curve = 2.0 * std::max(w_ - v_ * a * a, least_curve * w_);
            options_.push_back({slope(at, kinds_[entry]) - curve * shares_[at], curve, at});
        }
        std::sort(options_.begin(), options_.end(),
                  [](const Option& a, const Option& b) { return a.slope < b.slope; });
        double filled = count(entry), ease = 0.0, level = infinity;
        for (const Option& option : options_) {
            if (option.slope >= level) break;
            ease += 1.0 / option.curve;
            filled += option.slope / option.curve;
            level = filled / ease;
        }
        for (const Option& option : options_) {
            const double share = std::max(0.0, (level - option.slope) / option.curve);
            const double change = share - shares_[option.at];
            shares_[option.at] = share;
            table_[cell(option.at)] += change;
            main_[row(option.at)] += keep_[cell(option.at)] * change;
        }
    }

    double q(std::size_t i) const {
        double sum = 0.0;
        for (std::size_t at = i * n_columns_; at < (i + 1) * n_columns_; ++at) {
            sum += (1.0 + keep_[at]) * table_[at];
        }
        return sum;
    }

    // For the near entries of each row the line that loses less at the present table; a constant.
    double choose_lines() {
        std::vector<double> off(n_rows());
        for (std::size_t entry = 0; entry < n_entries(); ++entry) {
            if (kinds_[entry] != near) continue;
            for (std::size_t at = first(entry); at < first(entry + 1); ++at) {
                off[row(at)] += (1.0 - keep_[cell(at)]) * shares_[at];
            }
        }
        double constant = 0.0;
        for (std::size_t i = 0; i < n_rows(); ++i) {
            if ((local_[i] - off[i]) * (q(i) - least_[i]) < off[i] * (most_[i] - q(i))) {
                plus_[i] += local_[i];
                minus_[near][i] = least_[i];
                constant += v_ * local_[i] * least_[i];
            }
        }
        return constant;
    }

    // The bound by the row with the largest q of those that may exceed all of the present table.
    double by_largest_row(double constant, double alone) {
        double largest = 0.0;
        for (std::size_t i = 0; i < n_rows(); ++i) largest = std::max(largest, q(i));
        std::vector<std::size_t> rows;
        double sure_off = 0.0, least = 0.0;
        for (std::size_t i = 0; i < n_rows(); ++i) {
            is_joint_[i] = most_[i] > largest;
            if (is_joint_[i]) {
                rows.push_back(i);
                sure_off += sure_off_[i] + local_[i];
                least = std::max(least, least_[i]);
            }
        }
        const double visits = static_cast<double>(rows.size() * open_.cells.size());
        if (rows.empty() || visits > max_visits) return alone;
        double most_off = 0.0, surely_there = 0.0;  // T, and objects that no other row can take
        for (std::size_t entry = 0; entry < n_entries(); ++entry) {
            bool is_there = true;
            double off = 0.0;
            for (std::size_t at = first(entry); at < first(entry + 1); ++at) {
                if (is_joint_[row(at)]) {
                    off = std::max(off, 1.0 - keep_[cell(at)]);
                } else {
                    is_there = false;
                }
            }
            if (is_there) surely_there += count(entry);
            if (kinds_[entry] == wide) most_off += off * count(entry);
        }
        // The largest q is at least their mean, and q = 2 R - p.
        const double mean =
            (2.0 * surely_there - sure_off - most_off) / static_cast<double>(rows.size());
        const double at_least = std::max(least, mean);
        for (const std::size_t i : rows) minus_[wide][i] = at_least;
        constant += v_ * at_least * most_off;
        std::stable_sort(rows.begin(), rows.end(),
                         [&](std::size_t a, std::size_t b) { return most_[a] > most_[b]; });
        const std::vector<double> shares(shares_.begin(), shares_.end()), table = table_;
        std::vector<double> worst = shares;
        Limits limits;
        double found = infinity;
        for (const std::size_t i : rows) {
            std::copy(shares.begin(), shares.end(), shares_.begin());
            table_ = table;
            plus_[i] += most_off;
            const double own = descend(constant, found);
            limits = unite(limits, limits_by_slopes());
            plus_[i] -= most_off;
            if (own < found) {
                found = own;
                std::copy(shares_.begin(), shares_.end(), worst.begin());
            }
            if (found <= alone) {
                worst = shares;
                limits = limits_;
                break;
            }
        }
        limits_ = intersect(limits_, limits);
        std::copy(worst.begin(), worst.end(), shares_.begin());
        return found;
    }

    // How far p or q of a row can move if charges sum to `left` at most.
    static double reach(std::vector<Move>& moves, double left) {
        std::sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
            return a.charge * b.gain < b.charge * a.gain;
        });
        double sum = 0.0;
        for (const Move& move : moves) {
            const double dearest = move.charge * move.count;
            if (dearest >= left) return sum + move.gain * left / move.charge;
            sum += move.gain * move.count;
            left -= dearest;
        }
        return sum;
    }

    // The least and the most of sums over groups of listed cells, of gain(at) for each object
    // there, in tables with at most what is attained; `charges` are what objects cost more than at
    // best.
    template <class Group, class Gain>
    std::array<std::vector<double>, 2> spans(const std::vector<double>& charges, double left,
                                             std::size_t n_groups, Group group, Gain gain) const {
        std::vector<double> base(n_groups);
        std::vector<std::array<std::vector<Move>, 2>> moves(n_groups);  // that lower, that raise
        for (std::size_t entry = 0; entry < n_entries(); ++entry) {
            const std::size_t from = first(entry), to = first(entry + 1);
            std::size_t cheapest = from;
            double next = infinity;
            for (std::size_t at = from; at < to; ++at) {
                if (charges[at] < charges[cheapest]) cheapest = at;
            }
            for (std::size_t at = from; at < to; ++at) {
                if (at == cheapest) continue;
                next = std::min(next, charges[at]);
                if (gain(at) > 0.0) {
                    moves[group(at)][1].push_back({gain(at), charges[at], count(entry)});
                }
            }
            base[group(cheapest)] += gain(cheapest) * count(entry);
            if (next < infinity && gain(cheapest) > 0.0) {
                moves[group(cheapest)][0].push_back({gain(cheapest), next, count(entry)});
            }
        }
        std::array<std::vector<double>, 2> found{base, base};
        for (std::size_t i = 0; i < n_groups; ++i) {
            found[0][i] -= reach(moves[i][0], left);
            found[1][i] += reach(moves[i][1], left);
        }
        return found;
    }

    // Limits of tables with at most what is attained, by the slopes at the present table. Where
    // asked, numbers a are chosen anew: in proportion to what cells may still change by.
    Limits limits_by_slopes(bool is_anew = false) {
        Limits limits;
        if (!std::isfinite(attained_)) return limits;
        const double left = std::max(0.0, attained_ - bound_here_) + tolerance();
        std::vector<double> charges(shares_.size());
        for (std::size_t entry = 0; entry < n_entries(); ++entry) {
            double cheapest = infinity;
            for (std::size_t at = first(entry); at < first(entry + 1); ++at) {
                charges[at] = slope(at, kinds_[entry]);
                cheapest = std::min(cheapest, charges[at]);
            }
            for (std::size_t at = first(entry); at < first(entry + 1); ++at) {
                charges[at] -= cheapest;
            }
        }
        const auto row_of = [&](std::size_t at) { return row(at); };
        if (is_anew) {
            const auto [least, most] = spans(
                charges, left, table_.size(), [&](std::size_t at) { return cell(at); },
                [](std::size_t) { return 1.0; });
            for (std::size_t i = 0; i < n_rows(); ++i) keep_by_room(i, least, most);
            sum_rows();
        }
        auto off = spans(charges, left, n_rows(), row_of,
                         [&](std::size_t at) { return 1.0 - keep_[cell(at)]; });
        auto on = spans(charges, left, n_rows(), row_of,
                        [&](std::size_t at) { return 1.0 + keep_[cell(at)]; });
        return {std::move(off[0]), std::move(off[1]), std::move(on[0]), std::move(on[1])};
    }

    // Numbers a of a row: min(1, x times the room of a cell), with squares that sum to w / v.
    void keep_by_room(std::size_t i, const std::vector<double>& least,
                      const std::vector<double>& most) {
        const std::size_t begin = i * n_columns_;
        std::vector<std::size_t> order(n_columns_);
        std::iota(order.begin(), order.end(), begin);
        const auto room = [&](std::size_t at) { return most[at] - least[at] + tiny_room; };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return room(a) > room(b); });
        double squares = 0.0, share = w_ / v_;
        for (const std::size_t at : order) squares += room(at) * room(at);
        for (const std::size_t at : order) {
            const double own = room(at) * room(at);
            keep_[at] = std::sqrt(std::min(1.0, std::max(0.0, share) * own / squares));
            share -= keep_[at] * keep_[at];
            squares = std::max(squares - own, tiny_room * tiny_room);
        }
    }

    // The wider of two limits each; empty ones do not count.
    static Limits unite(const Limits& a, const Limits& b) { return merge(a, b, true); }
    static Limits intersect(const Limits& a, const Limits& b) { return merge(a, b, false); }
    static Limits merge(const Limits& a, Limits b, bool is_wider) {
        for (std::size_t i = 0; i < a.most.size(); ++i) {
            const auto lower = [&](double x, double y) { return is_wider == (x < y) ? x : y; };
            const auto upper = [&](double x, double y) { return is_wider == (x > y) ? x : y; };
            b.least_off[i] = lower(a.least_off[i], b.least_off[i]);
            b.least[i] = lower(a.least[i], b.least[i]);
            b.most_off[i] = upper(a.most_off[i], b.most_off[i]);
            b.most[i] = upper(a.most[i], b.most[i]);
        }
        return b;
    }

    // The bound by the limits of tables with at most what is attained, as long as they shrink.
    double within_limits(double found) {
        std::fill(table_.begin(), table_.end(), 0.0);
        for (std::size_t at = 0; at < shares_.size(); ++at) table_[cell(at)] += shares_[at];
        double best = -infinity;
        for (std::size_t round = 0; round < max_rounds; ++round) {
            if (attained_ - found <= tolerance()) return attained_;
            const double constant = choose_lines_within(1.0 / static_cast<double>(round + 1));
            const double own = descend(constant, attained_);
            if (bound_here_ > best) {
                best = bound_here_;
                line_[0] = constant - w_ * dot(table_, table_) + v_ * dot(main_, main_);
                for (std::size_t place = 0; place < table_.size(); ++place) {
                    line_[1 + place] = slope_of(place, near);
                }
            }
            limits_ = round < rounds_anew ? limits_by_slopes(true)
                                          : intersect(limits_, limits_by_slopes());
            const double gain = own - found;
            found = std::max(found, own);
            if (gain < least_gain * (attained_ - found)) break;
        }
        return std::min(found, attained_);
    }

    // For each row a mean of both lines, moved by a step to the line that loses less at the present
    // table; a constant.
    double choose_lines_within(double step) {
        double constant = 0.0;
        for (std::size_t i = 0; i < n_rows(); ++i) {
            double off = 0.0;
            for (std::size_t at = i * n_columns_; at < (i + 1) * n_columns_; ++at) {
                off += (1.0 - keep_[at]) * table_[at];
            }
            const double low = limits_.least_off[i], high = limits_.most_off[i];
            const double least = limits_.least[i], most = limits_.most[i];
            const bool is_low = (off - low) * (most - q(i)) < (high - off) * (q(i) - least);
            mix_[i] += step * ((is_low ? 1.0 : 0.0) - mix_[i]);
            plus_[i] = std::lerp(high, low, mix_[i]);
            for (auto& of_kind : minus_) of_kind[i] = std::lerp(least, most, mix_[i]);
            constant += v_ * std::lerp(high * least, low * most, mix_[i]);
        }
        return constant;
    }

    std::size_t n_columns_;
    OpenTable open_;
    double v_ = 0.0, w_ = 0.0, n_objects_ = 0.0, attained_ = infinity;
    double bound_here_ = 0.0;  // by the slopes at the present table
    Limits limits_;
    std::vector<double> line_;
    std::span<double> shares_;
    std::vector<double> table_, keep_;                    // N and a
    std::vector<double> main_, sure_off_, least_, most_;  // of each row: m, p0, least q, Q
    std::vector<double> local_;       // of each row: most that near entries add to p
    std::vector<double> plus_, mix_;  // of each row: the last is the share of the first line
    std::array<std::vector<double>, 3> minus_;  // by kind of entry
    std::vector<Kind> kinds_;
    std::vector<char> is_joint_;
    std::vector<Option> options_;
};

}  // namespace sfumato
