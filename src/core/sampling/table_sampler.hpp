// Many random tables of one population. Every component is drawn in the way that costs least: as a
// whole, from the list of all its tables; in lanes, if its types have few options; or object by
// object, by the alias method.
//
// Cost: O(cells) per table for a listed component, else O(1) per object and table or less.
#pragma once

#include <algorithm>
#include <map>

#include "interrupt.hpp"
#include "sampling/lane_counter.hpp"
#include "sampling/random.hpp"
#include "spans.hpp"
#include "tables/bound_tables.hpp"
#include "tables/cell_choices.hpp"
#include "tables/merge_tables.hpp"
#include "tables/semirings.hpp"

namespace sfumato {

// A component drawn as a whole: all its tables are listed once with their probabilities.
class ListedComponent {
  public:
    ListedComponent(const CellChoices& choices, const Component& component)
        : cells_(component.cells),
          tables_(merge_component<SumProduct>(choices, component)),
          alias_(tables_.weights()) {}

    void draw(std::size_t n_draws, std::size_t width, Xoshiro& random, std::int64_t* out) const {
        for (std::size_t draw = 0; draw < n_draws; ++draw) {
            const auto table = tables_.table(alias_.draw(random));
            std::int64_t* const row = out + draw * width;
            for (std::size_t i = 0; i < cells_.size(); ++i) row[cells_[i]] += table[i];
        }
    }

  private:
    std::vector<std::size_t> cells_;
    WeightedTables tables_;
    Alias alias_;
};

// Objects of one type, each drawn in constant time however many its cells.
class WideType {
  public:
    WideType(const CellChoices& choices, std::size_t type)
        : cells_(choices.cells_of(type).begin(), choices.cells_of(type).end()),
          alias_(choices.weights_of(type)),
          count_(choices.counts[type]) {}

    void draw(std::size_t n_draws, std::size_t width, Xoshiro& random, std::int64_t* out) const {
        for (std::size_t draw = 0; draw < n_draws; ++draw) {
            allow_interrupt();
            std::int64_t* const row = out + draw * width;
            for (std::int64_t object = 0; object < count_; ++object) {
                ++row[cells_[alias_.draw(random)]];
            }
        }
    }

  private:
    std::vector<std::int64_t> cells_;
    Alias alias_;
    std::int64_t count_;
};

// Types with few options, drawn in lanes: per 128 tables one number and a comparison with each
// option, for every object and lane.
class LaneSampler {
  public:
    // The types must have the same cells.
    void add(const CellChoices& choices, std::span<const std::size_t> types) {
        const auto cells = choices.cells_of(types[0]);
        Group& group = groups_.emplace_back();
        group.cells.assign(cells.begin(), cells.end());
        group.cuts.resize(types.size() * cells.size());
        for (const std::size_t type : types) {
            const auto weights = choices.weights_of(type);
            make_cuts(weights, group.cuts.data() + group.weights.size());
            group.weights.insert(group.weights.end(), weights.begin(), weights.end());
            group.counts.push_back(choices.counts[type]);
        }
    }

    // Adds `n_draws` tables to `out`, which has one row of `width` counts per table.
    void draw(std::size_t n_draws, std::size_t width, Xoshiro& seeds, std::int64_t* out) const {
        if (groups_.empty()) return;
        LaneCounter counter(width, seeds);
        for (std::size_t first = 0; first < n_draws; first += n_lanes) {
            for (const Group& group : groups_) {
                counter.start(group.cells, std::min(n_lanes, n_draws - first), out + first * width);
                for (std::size_t type = 0; type < group.counts.size(); ++type) {
                    const std::size_t at = type * group.cells.size();
                    counter.add({&group.weights[at], &group.cuts[at]}, group.counts[type]);
                }
                counter.finish();
            }
        }
    }

  private:
    // Types with the same cells; they share their counters.
    struct Group {
        std::vector<std::int64_t> cells;
        std::vector<std::int64_t> counts;  // (n_types,)
        std::vector<double> weights;       // (n_types, n_cells)
        std::vector<std::int16_t> cuts;    // (n_types, n_cells), see make_cuts
    };

    std::vector<Group> groups_;
};

class TableSampler {
  public:
    // A component is listed if its merges cost no more than drawing its objects `n_draws` times.
    TableSampler(const CellChoices& choices, double n_draws) : width_(choices.n_cells) {
        std::map<std::vector<std::int64_t>, std::vector<std::size_t>> by_cells;
        for (const Component& component : components(choices)) {
            double n_objects = 0.0, n_options = 0.0;
            for (const std::size_t type : component.types) {
                n_objects += static_cast<double>(choices.counts[type]);
                n_options += static_cast<double>(choices.n_options(type));
            }
            const double affordable = n_draws * n_objects * listing_share;
            // Listing merges every option at least once.
            if (n_options <= affordable &&
                bound_component(choices, component).merges <= affordable) {
                listed_.emplace_back(choices, component);
                continue;
            }
            for (const std::size_t type : component.types) {
                const auto cells = choices.cells_of(type);
                by_cells[{cells.begin(), cells.end()}].push_back(type);
            }
        }
        for (const auto& [cells, types] : by_cells) add_alike(choices, types);
    }

    // Every table starts from `base`.
    NewGrid<std::int64_t> draw(Ints base, std::size_t n_draws, Seed seed) const {
        std::vector<std::int64_t> tables;
        tables.reserve(n_draws * width_);
        for (std::size_t draw = 0; draw < n_draws; ++draw) {
            tables.insert(tables.end(), base.begin(), base.end());
        }
        Xoshiro random(seed);
        for (const ListedComponent& component : listed_) {
            component.draw(n_draws, width_, random, tables.data());
        }
        for (const WideType& type : wide_) type.draw(n_draws, width_, random, tables.data());
        lanes_.draw(n_draws, width_, random, tables.data());
        return {std::move(tables), {n_draws, width_}};
    }

  private:
    // Costs; the unit is the comparison of one object with one option in one lane.
    static constexpr double alias_cost = 400;       // of one object, however many its options
    static constexpr double add_cost = 60;          // of adding the counts of an option to a table
    static constexpr double listing_share = 0.004;  // a merge costs as much as 250 objects

    // Adds types with the same cells, in the way that costs less.
    void add_alike(const CellChoices& choices, const std::vector<std::size_t>& types) {
        const auto n_options = static_cast<double>(choices.n_options(types[0]));
        double n_objects = 0.0;
        for (const std::size_t type : types) n_objects += static_cast<double>(choices.counts[type]);
        if (n_options * (n_objects + add_cost) <= alias_cost * n_objects) {
            lanes_.add(choices, types);
        } else {
            for (const std::size_t type : types) wide_.emplace_back(choices, type);
        }
    }

    std::size_t width_;
    std::vector<ListedComponent> listed_;
    std::vector<WideType> wide_;
    LaneSampler lanes_;
};

}  // namespace sfumato
