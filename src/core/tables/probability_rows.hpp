// What is said of each object: row x holds p_i(x), the probability of cluster i.
#pragma once

#include <variant>

#include "spans.hpp"

namespace sfumato {

// Three forms of the same rows. `width` is the number of clusters. each(x, visit) calls
// visit(cluster, probability) for the entries of row x, in the order of the clusters.
struct DenseRows {
    Floats values;
    std::size_t width;

    std::size_t size() const { return values.size() / width; }
    const double* row(std::size_t x) const { return values.data() + x * width; }

    template <class Visit>
    void each(std::size_t x, const Visit& visit) const {
        const double* own = row(x);
        for (std::size_t i = 0; i < width; ++i) visit(i, own[i]);
    }
};

// Every row has a single entry, of probability one.
struct HardRows {
    Ints codes;
    std::size_t width;

    std::size_t size() const { return codes.size(); }

    template <class Visit>
    void each(std::size_t x, const Visit& visit) const {
        visit(static_cast<std::size_t>(codes[x]), 1.0);
    }
};

// Row x has the entries from starts[x] to starts[x + 1].
struct SparseRows {
    Ints starts;
    Ints columns;
    Floats values;
    std::size_t width;

    std::size_t size() const { return starts.size() - 1; }
    Ints columns_of(std::size_t x) const { return part(columns, starts, x); }
    Floats values_of(std::size_t x) const { return part(values, starts, x); }

    template <class Visit>
    void each(std::size_t x, const Visit& visit) const {
        const auto end = static_cast<std::size_t>(starts[x + 1]);
        for (auto at = static_cast<std::size_t>(starts[x]); at < end; ++at) {
            visit(static_cast<std::size_t>(columns[at]), values[at]);
        }
    }
};

// Rows in the form that Python gives them: starts, columns, values and number of clusters, without
// columns if they are dense and without starts if they are hard.
using AnyRows = std::variant<DenseRows, HardRows, SparseRows>;

inline AnyRows rows_of(Ints starts, Ints columns, Floats values, std::size_t width) {
    if (columns.empty()) return DenseRows{values, width};
    if (starts.empty()) return HardRows{columns, width};
    return SparseRows{starts, columns, values, width};
}

}  // namespace sfumato
