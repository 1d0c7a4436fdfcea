// The compatible tables of each of many pairs of rough partitions. All pairs have the same types of
// objects; a pair is given by how many objects it has of each type. A table that several pairs
// allow is stored once.
//
// Cost: that of merge_tables.hpp for every pair.
#pragma once

#include "interrupt.hpp"
#include "spans.hpp"
#include "tables/cell_choices.hpp"
#include "tables/merge_tables.hpp"
#include "tables/semirings.hpp"

namespace sfumato {

struct ReachableTables {
    std::size_t n_tables;
    std::vector<std::int32_t> tables;  // (m, n_cells)
    std::vector<std::int64_t> starts;  // (f + 1,)
    std::vector<std::int64_t> ids;     // tables of pair f: from starts[f] to starts[f + 1]
};

// counts (f, t): objects of type t in pair f. `types` lists the cells of each type; its weights are
// all one.
inline ReachableTables reachable_tables(Ints counts, std::size_t n_pairs,
                                        const CellChoices& types) {
    const std::size_t n_types = types.starts.size() - 1;
    WeightedTables seen(types.n_cells);
    ReachableTables reach{};
    reach.starts.push_back(0);
    for (std::size_t f = 0; f < n_pairs; ++f) {
        allow_interrupt();
        CellChoices own = types;
        own.counts = counts.subspan(f * n_types, n_types);
        const TableList list = merge_tables<MaxNorm<Minimum>>(own);
        for (std::size_t at = 0; at < list.weights.size(); ++at) {
            const std::span table(list.tables.data() + at * types.n_cells, types.n_cells);
            const std::size_t id =
                seen.add(table, hash_table(table), 1.0, [](double old, double) { return old; });
            reach.ids.push_back(static_cast<std::int64_t>(id));
        }
        reach.starts.push_back(static_cast<std::int64_t>(reach.ids.size()));
    }
    reach.n_tables = seen.size();
    reach.tables = std::move(seen.tables());
    return reach;
}

}  // namespace sfumato
