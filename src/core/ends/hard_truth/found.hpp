// What a search for an end against a hard truth has found.
#pragma once

#include <span>

#include "psi/for_hard_truth.hpp"

namespace sfumato::hard_truth {

template <class Number>
struct Found {
    Number value;                  // of the table that was found
    Number bound;                  // no table is better; equal to value if the search was finished
    std::span<const Count> table;  // column by column; valid until the next search
};

}  // namespace sfumato::hard_truth
