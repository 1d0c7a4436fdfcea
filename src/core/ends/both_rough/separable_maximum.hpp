// The largest value of a separable concave function over the compatible tables:
//     max sum_c s_c N_c - 2 psi(N_c).
//
// Idea. The compatible tables are the whole points of a base polytope, where the decomposition
// algorithm is exact (Fujishige 1980; Groenevelt 1991). Share the objects of a part freely over its
// cells. If moves of objects cannot reach these targets, split the part: the cells that the surplus
// can still reach, and the others. Each keeps its total and is solved on its own.
// Invariant. flows_ is an assignment of all objects to cells of their types, and loads_ its table.
// No best table moves objects from one part to another.
//
// Letters. c: a cell. s_c: its slope. Load: the objects now in a cell. Target: the objects wanted
// there. Part: a set of cells solved on its own.
// Cost: at most one part per cell; each part takes augmenting paths of O(types * cells).
#pragma once

#include <algorithm>
#include <limits>

#include "ends/both_rough/problem.hpp"
#include "spans.hpp"

namespace sfumato::both_rough {

// A call starts from the assignment of the last one.
template <class Psi>
class SeparableMaximum {
    using Number = typename Psi::Number;

  public:
    SeparableMaximum(const Psi& psi, const Problem& problem)
        : psi_(psi),
          problem_(problem),
          n_cells_(problem.shape.n_cells()),
          loads_(problem.certain),
          flows_(problem.n_types() * n_cells_, 0),
          adjacent_starts_(n_cells_ + 1, 0),
          preferences_(n_cells_),
          targets_(n_cells_),
          paths_{Steps(n_cells_), Steps(n_cells_), Steps(n_cells_)} {
        for (std::size_t type = 0; type < problem.n_types(); ++type) {
            const std::size_t cell = first(problem.sets[type]);
            flow(type, cell) = problem.counts[type];
            loads_[cell] += problem.counts[type];
        }
        for (std::size_t cell = 0; cell < n_cells_; ++cell) {
            for (std::size_t type = 0; type < problem.n_types(); ++type) {
                if (has(problem.sets[type], cell)) adjacent_.push_back(type);
            }
            adjacent_starts_[cell + 1] = adjacent_.size();
        }
    }

    // The table that attains the largest value; valid until the next call.
    Ints table() const { return loads_; }

    Number maximise(std::span<const Number> slopes) {
        slopes_ = slopes;
        const Number largest = *std::max_element(slopes.begin(), slopes.end());
        Cells all = 0;
        for (std::size_t cell = 0; cell < n_cells_; ++cell) {
            preferences_[cell] = Psi::preference(slopes[cell], largest);
            // Nothing is open in the other cells.
            if (problem_.most[cell] > problem_.certain[cell]) all |= only(cell);
        }
        parts_.assign(1, all);
        while (!parts_.empty()) {
            const Cells part = parts_.back();
            parts_.pop_back();
            if (!is_open(part)) continue;
            share_out(part);
            const Cells reached = exchange(part);
            if (reached == 0) continue;
            parts_.push_back(reached);
            parts_.push_back(part & ~reached);
        }
        Number total = 0;
        for (std::size_t cell = 0; cell < n_cells_; ++cell) {
            total += value(slopes[cell], loads_[cell]) - 2 * psi_(loads_[cell]);
        }
        return total;
    }

  private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    // Shortest paths of objects from cells with a surplus: to each cell that was reached, from
    // which cell and by objects of which type; and the cells in the order of reaching them.
    using Steps = std::vector<std::size_t>;
    struct Paths {
        Steps from, through, queue;
    };

    std::int64_t& flow(std::size_t type, std::size_t cell) {
        return flows_[type * n_cells_ + cell];
    }

    static Number value(Number slope, std::int64_t x) { return slope * static_cast<Number>(x); }

    // What one more object in a cell gains, and what the last one there gained.
    Number gain(std::size_t cell) const {
        return slopes_[cell] - 2 * (psi_(targets_[cell] + 1) - psi_(targets_[cell]));
    }
    Number loss(std::size_t cell) const {
        return slopes_[cell] - 2 * (psi_(targets_[cell]) - psi_(targets_[cell] - 1));
    }

    // Sets the targets of a part: the best whole numbers with the same total, between what is
    // certain and what is possible. Cells are fixed at a limit until the best real numbers for the
    // others lie within their limits (Kiwiel 2008). These are rounded, and single objects moved
    // until the rounding is right.
    void share_out(Cells part) {
        std::int64_t total = 0;
        cells_.clear();
        free_.clear();
        for_each(part, [&](std::size_t cell) {
            total += loads_[cell];
            cells_.push_back(cell);
            free_.push_back(cell);
        });
        std::int64_t rest = total;
        while (!free_.empty()) {
            const double level = fitting_level(rest);
            double above = 0.0, below = 0.0;
            for (const std::size_t cell : free_) {
                const double x = Psi::share(preferences_[cell], level);
                above += std::max(0.0, x - static_cast<double>(problem_.most[cell]));
                below += std::max(0.0, static_cast<double>(problem_.certain[cell]) - x);
            }
            const bool is_inside = above == 0.0 && below == 0.0;
            std::size_t kept = 0;
            for (const std::size_t cell : free_) {
                const double x = Psi::share(preferences_[cell], level);
                const std::int64_t low = problem_.certain[cell], high = problem_.most[cell];
                if (is_inside) {
                    targets_[cell] = std::clamp(static_cast<std::int64_t>(x), low, high);
                } else if (above >= below && x > static_cast<double>(high)) {
                    targets_[cell] = high;
                    rest -= high;
                } else if (above < below && x < static_cast<double>(low)) {
                    targets_[cell] = low;
                    rest -= low;
                } else {
                    free_[kept++] = cell;
                }
            }
            free_.resize(kept);
        }
        for (const std::size_t cell : cells_) total -= targets_[cell];
        finish_rounding(total);
    }

    double fitting_level(std::int64_t total) const {
        double sum = 0.0;
        for (const std::size_t cell : free_) sum += preferences_[cell];
        return Psi::level(static_cast<double>(total), sum, static_cast<double>(free_.size()));
    }

    // Places the objects that rounding left over, or takes back those too many. Then moves single
    // objects while that gains; the function is M-concave, so this ends at the optimum.
    void finish_rounding(std::int64_t missing) {
        while (true) {
            std::size_t best = none, worst = none;
            Number most_gain = 0, least_loss = 0;
            for (const std::size_t cell : cells_) {
                if (targets_[cell] < problem_.most[cell]) {
                    const Number g = gain(cell);
                    if (best == none || g > most_gain) best = cell, most_gain = g;
                }
                if (targets_[cell] > problem_.certain[cell]) {
                    const Number g = loss(cell);
                    if (worst == none || g < least_loss) worst = cell, least_loss = g;
                }
            }
            if (missing > 0) {
                ++targets_[best];
                --missing;
            } else if (missing < 0) {
                --targets_[worst];
                ++missing;
            } else if (best != none && worst != none && Psi::is_gain(most_gain - least_loss)) {
                ++targets_[best];
                --targets_[worst];
            } else {
                return;
            }
        }
    }

    // Moves objects from cells above their target to cells below, along paths of types within the
    // part. Returns the empty set if all targets are met, else the cells that the surplus can
    // reach.
    Cells exchange(Cells part) {
        while (true) {
            Cells seen = 0;
            std::size_t head = 0, tail = 0, goal = none;
            for (const std::size_t cell : cells_) {
                if (loads_[cell] <= targets_[cell]) continue;
                seen |= only(cell);
                paths_.from[cell] = none;
                paths_.queue[tail++] = cell;
            }
            if (tail == 0) return 0;
            while (head < tail && goal == none) {
                const std::size_t cell = paths_.queue[head++];
                for (std::size_t a = adjacent_starts_[cell];
                     a < adjacent_starts_[cell + 1] && goal == none; ++a) {
                    const std::size_t type = adjacent_[a];
                    Cells fresh = problem_.sets[type] & part & ~seen;
                    if (fresh == 0 || flow(type, cell) == 0) continue;
                    seen |= fresh;
                    for (; fresh != 0 && goal == none; fresh &= fresh - 1) {
                        const std::size_t next = first(fresh);
                        paths_.from[next] = cell;
                        paths_.through[next] = type;
                        paths_.queue[tail++] = next;
                        if (loads_[next] < targets_[next]) goal = next;
                    }
                }
            }
            if (goal == none) return seen;
            push_along(goal);
        }
    }

    void push_along(std::size_t goal) {
        std::int64_t amount = targets_[goal] - loads_[goal];
        std::size_t cell = goal;
        for (; paths_.from[cell] != none; cell = paths_.from[cell]) {
            amount = std::min(amount, flow(paths_.through[cell], paths_.from[cell]));
        }
        amount = std::min(amount, loads_[cell] - targets_[cell]);
        loads_[cell] -= amount;
        loads_[goal] += amount;
        for (cell = goal; paths_.from[cell] != none; cell = paths_.from[cell]) {
            flow(paths_.through[cell], paths_.from[cell]) -= amount;
            flow(paths_.through[cell], cell) += amount;
        }
    }

    const Psi& psi_;
    const Problem& problem_;
    std::size_t n_cells_;
    std::vector<std::int64_t> loads_;
    std::vector<std::int64_t> flows_;                      // objects by type and cell
    std::vector<std::size_t> adjacent_, adjacent_starts_;  // open types by cell
    std::span<const Number> slopes_;
    std::vector<double> preferences_;
    std::vector<std::int64_t> targets_;
    std::vector<Cells> parts_;
    std::vector<std::size_t> cells_, free_;  // of the part that is shared out
    Paths paths_;
};

}  // namespace sfumato::both_rough
