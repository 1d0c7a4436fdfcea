// Python functions for counts in moments/.
#include <nanobind/stl/pair.h>

#include "bind/arrays.hpp"
#include "moments/count_coupling.hpp"
#include "moments/expected_xlogx.hpp"
#include "moments/poisson_binomial.hpp"

namespace sfumato {
namespace {

// How Python passes LogarithmFits: as seven arguments, after the others of a kernel.
template <class Found, class... First>
auto with_fits(Found (*kernel)(const LogarithmFits&, First...)) {
    return [kernel](First... first, Floats largest, Floats is_discrete, Floats error,
                    Floats constant, Ints starts, Floats rates, Floats weights) {
        return kernel({largest, is_discrete, error, constant, starts, rates, weights}, first...);
    };
}

// How it passes EventPairs: as three arguments, before the others.
template <class Found, class... More>
auto of_pairs(Found (*kernel)(const EventPairs&, More...)) {
    return by_fields<EventPairs, Floats, Floats, Floats>(kernel);
}

}  // namespace
}  // namespace sfumato

void bind_moments_counts(nanobind::module_& module) {
    using namespace sfumato;
    module.def("count_law", &law_of_count, unlocked);
    module.def("add_count_laws", &add_count_laws, unlocked);
    module.def("count_entropies", with_fits(&count_entropies), unlocked);
    module.def("choose_fits", with_fits(&choose_fits), unlocked);
    module.def("count_log_sums", with_fits(&count_log_sums), unlocked);
    module.def("entropies_of_log_sums", with_fits(&entropies_of_log_sums), unlocked);
    module.def("count_transform", with_fits(&count_transform), unlocked);
    module.def("couple_counts", of_pairs(&couple_counts), unlocked);
    module.def("couple_counts_in_powers", of_pairs(&couple_counts_in_powers), unlocked);
}
