// The near end against a hard truth: the smallest value of
//     kappa sum_i psi(R_i) - 2 sum_ij psi(N_ij)
// over the compatible tables, for kappa <= 2 (near_heavy_rows.hpp has the other case).
//
// Idea. Some best table consists of vertices only. Lines in place of psi(R_i) make the columns
// independent, which bounds the value from below. A depth-first search places the columns one by
// one.
// Invariant. Every table better than the best one known is made of the placed columns of some open
// node and of vertices that are still alive there.
//
// Letters. kappa: weight of the rows. Vertex: a column in which the rows, in some order, take as
// many objects as they can (vertex_paths.hpp). Own cost: the part of the value that depends on
// one column alone.
// Cost: O(l k 2^k) per node while the lists of vertices are short; about max_nodes such nodes.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>

#include "ends/hard_truth/found.hpp"
#include "ends/hard_truth/ranks.hpp"
#include "ends/hard_truth/search_node.hpp"
#include "ends/hard_truth/vertex_paths.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

// For kappa <= 2 the value is concave along every exchange of objects within a column, because
// psi'' does not increase and N_ij <= R_i. So some best table consists of vertices.
//
// Bound: psi(R_i) lies above every line that touches it. With lines in place of psi(R_i) the
// columns are independent. A subgradient method looks for the lines with the best bound.
//
// Search: a vertex that costs more than the cheapest one of its column by at least the gap between
// the bound and the best table cannot be in a better table. A depth-first search chooses among the
// other vertices, column by column, with new lines at every node.
//
// A linear term sum_i linear_i R_i may be added to the value.
template <class Psi, int K>
class NearSearch {
  public:
    using Number = typename Psi::Number;
    using Linear = PerRow<Number, K>;

    NearSearch(const Psi& psi, int k) : psi_(psi), k_(k), paths_(k) {}

    Found<Number> solve(const Ranks& ranks, Number weight, const Linear& linear,
                        const Limits& limits) {
        ranks_ = &ranks;
        weight_ = weight;
        linear_ = linear;
        slack_ = psi_.slack(ranks.total());
        limits_ = &limits;
        nodes_left_ = limits.max_nodes;
        current_.assign(ranks.n_columns() * static_cast<std::size_t>(k_), 0);
        best_ = {false, 0, current_};
        if (nodes_.size() <= ranks.n_columns()) nodes_.resize(ranks.n_columns() + 1);
        lists_.resize(std::max(lists_.size(), ranks.n_columns()));
        if (ranks.n_columns() == 0) return {0, 0, best_.table};

        Node& root = nodes_[0];
        root.rows.fill(0);
        root.cost = 0;
        root.columns.resize(ranks.n_columns());
        std::iota(root.columns.begin(), root.columns.end(), std::size_t{0});
        if constexpr (K == few_rows) {
            list_all(root);
            if (root.is_small(small_product)) {
                enumerate(root, 0, root.rows, root.cost);
                return {best_.value, best_.value, best_.table};
            }
        }
        return conclude(search_from_root(root));
    }

  private:
    using Rows = PerRow<Count, K>;
    using Node = SearchNode<Number, K>;
    using Vertex = typename Node::Vertex;
    using List = VertexList<Number, K>;

    struct Best {
        bool is_found;
        Number value;
        std::vector<Count> table;
    };
    // Lines that touch psi, and their slopes and the sum of their offsets, both times kappa.
    struct Lines {
        PerRow<Line<Number>, K> of_row;
        PerRow<Number, K> slopes;
        Number offset = 0;
    };

    static constexpr std::size_t small_product = 512;     // so few combinations are all tried
    static constexpr std::size_t longest_list = 1 << 14;  // vertices of one column
    // The bound of a node below which no table is better than the best.
    static constexpr Number nothing_better = std::numeric_limits<Number>::max();

    bool is_closed(Number bound) const { return best_.is_found && bound >= best_.value - slack_; }

    Found<Number> conclude(Number bound) const {
        const Number shown = is_closed(bound) ? best_.value : bound - Psi::margin(slack_);
        return {best_.value, shown, best_.table};
    }

    void take(Number value, const std::vector<Count>& table) {
        if (!best_.is_found || value < best_.value) best_ = {true, value, table};
    }

    // Own cost of count x in row i.
    Number own(int i, Count x) const { return linear_[i] * static_cast<Number>(x) - 2 * psi_(x); }

    Count* column(std::vector<Count>& table, std::size_t j) const {
        return table.data() + j * static_cast<std::size_t>(k_);
    }

    // ---- few combinations

    void list_all(Node& node) {
        for (const std::size_t j : node.columns) {
            List& list = lists_[j];
            list.vertices.clear();
            const Count* f = (*ranks_)[j];
            if (k_ == 2) {
                add(list, {f[1], f[3] - f[1], 0});
                add(list, {f[3] - f[2], f[2], 0});
            } else {
                constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                              {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
                for (const auto& [a, b, c] : orders) {
                    Rows v;
                    const Count two = f[(1 << a) | (1 << b)];
                    v[a] = f[1 << a];
                    v[b] = two - v[a];
                    v[c] = f[7] - two;
                    add(list, v);
                }
            }
            weigh(node, j);
        }
    }

    static void add(List& list, const Rows& v) {
        if (std::find(list.vertices.begin(), list.vertices.end(), v) == list.vertices.end()) {
            list.vertices.push_back(v);
        }
    }

    // Tries all combinations of vertices, from the given free column on.
    void enumerate(const Node& node, std::size_t from, const Rows& rows, Number cost) {
        if (from == node.columns.size()) {
            Number value = cost;
            for (int i = 0; i < k_; ++i) value += weight_ * psi_(rows[i]);
            take(value, current_);
            return;
        }
        const std::size_t j = node.columns[from];
        const List& list = lists_[j];
        for (const Vertex a : node.alive[j]) {
            Rows sums = rows;
            for (int i = 0; i < k_; ++i) sums[i] += list.vertices[a][i];
            std::copy_n(list.vertices[a].begin(), k_, column(current_, j));
            enumerate(node, from + 1, sums, cost + list.own[a]);
        }
    }

    // ---- the search

    // What count x in row i costs besides its own cost: along a line ...
    struct Along {
        const PerRow<Number, K>& slopes;
        Number operator()(int i, Count x) const { return slopes[i] * static_cast<Number>(x); }
    };
    // ... or by psi(R_i) itself, if the other columns have row sums `rest`.
    struct Beside {
        const NearSearch& end;
        const Rows& rest;
        Number operator()(int i, Count x) const {
            return end.weight_ * (end.psi_(rest[i] + x) - end.psi_(rest[i]));
        }
    };

    // Finds the cheapest column for such a cost: among all vertices, or, once they are listed,
    // among those that the node has left. If these are many, all vertices take less time.
    template <class Extra>
    Number cheapest(const Node& node, std::size_t j, const Extra& extra, Rows& v) {
        if (!uses_lists_ || node.alive[j].size() > ranks_->all()) {
            const auto cost = [&](int i, Count x) { return extra(i, x) + own(i, x); };
            return paths_.cheapest((*ranks_)[j], cost, v.data());
        }
        const List& list = lists_[j];
        Number least{};
        const Rows* found = nullptr;
        for (const Vertex a : node.alive[j]) {
            Number cost = list.own[a];
            for (int i = 0; i < k_; ++i) cost += extra(i, list.vertices[a][i]);
            if (found == nullptr || cost < least) {
                least = cost;
                found = &list.vertices[a];
            }
        }
        v = *found;
        return least;
    }

    Number search_from_root(Node& root) {
        const double even = static_cast<double>(ranks_->total()) / k_;
        root.centre.fill(std::max(1.0, even));
        uses_lists_ = false;
        const Number bound = fit_lines(root, 40);
        if (is_closed(bound) || limits_->reached(0) || !list_alive(root, bound)) return bound;
        uses_lists_ = true;
        return search(0, bound);
    }

    // Charges a node to the budget: as one, which stands for O(l k 2^k), or as more if lists are
    // long.
    void charge(const Node& node) {
        std::size_t vertices = 0;
        for (const std::size_t j : node.columns) vertices += node.alive[j].size();
        nodes_left_ -= 1 + static_cast<std::int64_t>((vertices / node.columns.size()) >> k_);
    }

    // Searches the tables below a node. Returns a lower bound on them, or nothing_better.
    Number search(std::size_t depth, Number inherited) {
        Node& here = nodes_[depth];
        if (nodes_left_ <= 0) return inherited;
        allow_interrupt();
        if (limits_->is_late()) {
            nodes_left_ = 0;
            return inherited;
        }
        charge(here);
        if (here.is_small(small_product)) {
            enumerate(here, 0, here.rows, here.cost);
            return nothing_better;
        }
        const Number bound = fit_lines(here, 10);
        if (is_closed(std::max(bound, inherited))) return nothing_better;
        const Number gap = best_.value - slack_ - bound;
        if (!here.filter(lists_, touch(here.centre).slopes, k_, gap)) return nothing_better;

        const std::size_t j = here.column_with_fewest();
        here.sort(j);
        Number least = nothing_better;
        for (std::size_t q = 0; q < here.alive[j].size(); ++q) {
            const Number at_least = std::max(inherited, bound + here.reduced[j][q]);
            if (is_closed(at_least)) break;  // and so are all that follow
            const Rows& v = lists_[j].vertices[here.alive[j][q]];
            std::copy_n(v.begin(), k_, column(current_, j));
            here.place(j, q, lists_, k_, nodes_[depth + 1]);
            least = std::min(least, search(depth + 1, at_least));
        }
        return least;
    }

    // Looks for the lines with the best bound by a subgradient method with Polyak's step length.
    // Tables met on the way are improved and kept if they are the best so far. The best lines are
    // left in node.centre.
    Number fit_lines(Node& node, int n_steps) {
        PerRow<double, K> centre = node.centre;
        Number best_bound = std::numeric_limits<Number>::lowest();
        double patience = 1.0;
        trial_ = current_;
        for (int step = 0; step < n_steps; ++step) {
            const Lines lines = touch(centre);
            Rows rows;
            const Number bound = relax(node, lines, rows);
            Number value = bound;
            for (int i = 0; i < k_; ++i) {
                value += weight_ * (psi_(rows[i]) - lines.of_row[i].at(rows[i]));
            }
            if (step == 0 || value < best_.value) improve(node, rows, value);
            if (step == 0 || bound > best_bound) {
                best_bound = bound;
                node.centre = centre;
            } else {
                patience *= 0.7;
            }
            const double gap = patience * static_cast<double>(best_.value - bound);
            if (is_closed(best_bound) || !move_centre(centre, rows, gap)) break;
        }
        return best_bound;
    }

    // Lines that touch psi near `centre`.
    Lines touch(const PerRow<double, K>& centre) const {
        Lines lines;
        for (int i = 0; i < k_; ++i) {
            lines.of_row[i] = psi_.support(centre[i]);
            lines.slopes[i] = weight_ * lines.of_row[i].slope;
            lines.offset += weight_ * lines.of_row[i].offset;
        }
        return lines;
    }

    // The bound by lines. The table that attains it is left in trial_, its row sums in `rows`.
    Number relax(const Node& node, const Lines& lines, Rows& rows) {
        rows = node.rows;
        Number bound = node.cost + lines.offset;
        for (int i = 0; i < k_; ++i) bound += lines.slopes[i] * static_cast<Number>(rows[i]);
        for (const std::size_t j : node.columns) {
            Rows v{};
            bound += cheapest(node, j, Along{lines.slopes}, v);
            std::copy_n(v.begin(), k_, column(trial_, j));
            for (int i = 0; i < k_; ++i) rows[i] += v[i];
        }
        return bound;
    }

    // Moves the centre towards the row sums of the relaxed table. False if it is there.
    bool move_centre(PerRow<double, K>& centre, const Rows& rows, double gap) const {
        double square = 0.0;
        for (int i = 0; i < k_; ++i) {
            const double off = static_cast<double>(rows[i]) - centre[i];
            square += psi_.curvature(centre[i]) * off * off;
        }
        square *= static_cast<double>(weight_);
        if (square < 1e-12) return false;
        const double pace = std::min(1.0, gap / square);
        for (int i = 0; i < k_; ++i) {
            const double off = static_cast<double>(rows[i]) - centre[i];
            centre[i] = std::max(0.25, centre[i] + pace * off);
        }
        return true;
    }

    // Replaces every free column of trial_ by the best one for the other columns, until none
    // changes.
    void improve(const Node& node, Rows rows, Number value) {
        for (bool improved = true; improved;) {
            improved = false;
            for (const std::size_t j : node.columns) {
                Count* old = column(trial_, j);
                Rows rest = rows, v{};
                Number before = 0;
                for (int i = 0; i < k_; ++i) {
                    rest[i] -= old[i];
                    before += own(i, old[i]) + Beside{*this, rest}(i, old[i]);
                }
                const Number after = cheapest(node, j, Beside{*this, rest}, v);
                if (after >= before - Psi::margin(slack_)) continue;
                improved = true;
                value += after - before;
                for (int i = 0; i < k_; ++i) {
                    rows[i] = rest[i] + v[i];
                    old[i] = v[i];
                }
            }
        }
        take(value, trial_);
    }

    // Lists the vertices that may be in a better table. False if there are too many.
    bool list_alive(Node& root, Number bound) {
        const Number gap = best_.value - slack_ - bound;
        const Lines lines = touch(root.centre);
        for (const std::size_t j : root.columns) {
            const Count* f = (*ranks_)[j];
            const auto cost = [&](int i, Count x) { return Along{lines.slopes}(i, x) + own(i, x); };
            Rows v{};
            const Number least = paths_.cheapest(f, cost, v.data());
            auto& vertices = lists_[j].vertices;
            vertices.clear();
            vertices.push_back(v);
            const bool complete = paths_.each_below(f, cost, least + gap, [&](const Rows& vertex) {
                vertices.push_back(vertex);
                return vertices.size() < longest_list;
            });
            if (!complete) return false;
            std::sort(vertices.begin(), vertices.end());
            vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
            weigh(root, j);
        }
        return true;
    }

    // Finds the own costs of the listed vertices of column j.
    void weigh(Node& node, std::size_t j) {
        List& list = lists_[j];
        list.own.clear();
        for (const Rows& v : list.vertices) {
            Number sum = 0;
            for (int i = 0; i < k_; ++i) sum += own(i, v[i]);
            list.own.push_back(sum);
        }
        node.keep_all(j, list.vertices.size());
    }

    Psi psi_;
    int k_;
    VertexPaths<Number, K> paths_;
    const Ranks* ranks_ = nullptr;
    Number weight_{}, slack_{};
    Linear linear_{};
    const Limits* limits_ = nullptr;
    std::int64_t nodes_left_ = 0;
    std::vector<List> lists_;
    bool uses_lists_ = false;
    std::vector<Node> nodes_;             // by depth
    std::vector<Count> current_, trial_;  // tables, column by column
    Best best_{};
};

}  // namespace sfumato::hard_truth
