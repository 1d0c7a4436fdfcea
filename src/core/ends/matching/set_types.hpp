// Types of objects: the rows and the columns that an object may be in.
#pragma once

#include "spans.hpp"

namespace sfumato {

// Objects of type t may be in any row of row_sets[t] and any column of column_sets[t]. Sets are bit
// masks.
struct SetTypes {
    std::span<const std::uint32_t> row_sets;
    std::span<const std::uint32_t> column_sets;
    std::size_t n_rows;
    std::size_t n_columns;

    bool allow(std::size_t t, std::size_t row, std::size_t column) const {
        return ((row_sets[t] >> row) & (column_sets[t] >> column) & 1U) != 0;
    }
    SetTypes flipped() const { return {column_sets, row_sets, n_columns, n_rows}; }
};

}  // namespace sfumato
