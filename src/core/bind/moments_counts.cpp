// Python functions for counts in moments/.
#include <nanobind/stl/tuple.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "moments/count_coupling.hpp"
#include "moments/expected_xlogx.hpp"

namespace sfumato {
namespace {

using Column = In<double, 1>;

LogarithmFits fits_of(const Column& largest, const Column& is_discrete, const Column& error,
                      const Column& constant, const In<std::int64_t, 1>& starts,
                      const Column& rates, const Column& weights) {
    return {view(largest), view(is_discrete), view(error),  view(constant),
            view(starts),  view(rates),       view(weights)};
}

std::tuple<std::size_t, Out<double>, double> count_law(const Column& events, double negligible) {
    CountLaw law;
    {
        nb::gil_scoped_release release;
        law = law_of_count(view(events), negligible);
    }
    return {law.first, give(std::move(law.probabilities)), law.lost};
}

// Count t counts the events from offsets[t] to offsets[t + 1].
std::tuple<Out<double>, Out<double>> count_entropies(
    const Column& events, const In<std::int64_t, 1>& offsets, const Column& largest,
    const Column& is_discrete, const Column& error, const Column& constant,
    const In<std::int64_t, 1>& starts, const Column& rates, const Column& weights) {
    const std::size_t n_counts = offsets.size() - 1;
    std::vector<double> values(n_counts), errors(n_counts);
    {
        nb::gil_scoped_release release;
        const auto fits = fits_of(largest, is_discrete, error, constant, starts, rates, weights);
        for (std::size_t t = 0; t < n_counts; ++t) {
            const auto first = static_cast<std::size_t>(offsets.data()[t]);
            const auto size = static_cast<std::size_t>(offsets.data()[t + 1]) - first;
            const Estimate found = expected_xlogx(view(events).subspan(first, size), fits);
            values[t] = found.value;
            errors[t] = found.error;
        }
    }
    return {give(std::move(values)), give(std::move(errors))};
}

// Counts of pairs of events that both happen, one for each row of `first` and of `second`.
std::tuple<Out<double>, Out<double>> product_entropies(
    const In<double, 2>& first, const In<double, 2>& second, const Column& largest,
    const Column& is_discrete, const Column& error, const Column& constant,
    const In<std::int64_t, 1>& starts, const Column& rates, const Column& weights) {
    const std::size_t n = first.shape(1), n_first = first.shape(0), n_second = second.shape(0);
    std::vector<double> values, errors;
    {
        nb::gil_scoped_release release;
        const auto fits = fits_of(largest, is_discrete, error, constant, starts, rates, weights);
        std::vector<double> events(n);
        for (std::size_t i = 0; i < n_first; ++i) {
            for (std::size_t j = 0; j < n_second; ++j) {
                const double* const a = first.data() + i * n;
                const double* const b = second.data() + j * n;
                for (std::size_t x = 0; x < n; ++x) events[x] = a[x] * b[x];
                const Estimate found = expected_xlogx(events, fits);
                values.push_back(found.value);
                errors.push_back(found.error);
            }
        }
    }
    return {give(std::move(values)), give(std::move(errors))};
}

// The window's nodes, the fit there, and the generating function; no nodes if no fit is wide
// enough.
std::tuple<double, double, Out<double>, Out<double>, Out<double>, Out<double>> count_transform(
    const Column& events, const Column& largest, const Column& is_discrete, const Column& error,
    const Column& constant, const In<std::int64_t, 1>& starts, const Column& rates,
    const Column& weights) {
    std::optional<LogarithmNodes> nodes;
    Generating found;
    {
        nb::gil_scoped_release release;
        const auto fits = fits_of(largest, is_discrete, error, constant, starts, rates, weights);
        const CountSummary count = summarise(view(events));
        nodes = choose_nodes(count, fits);
        if (nodes) found = generating_function(view(events), count, *nodes);
    }
    if (!nodes) nodes.emplace();
    return {nodes->constant,
            nodes->error,
            give(std::move(nodes->exponents)),
            give(std::move(nodes->weights)),
            give(std::move(found.values)),
            give(std::move(found.slopes))};
}

std::tuple<Out<double>, Out<double>, Out<double>, Out<double>> couple_counts(const Column& first,
                                                                             const Column& second,
                                                                             const Column& shared,
                                                                             const Column& u,
                                                                             const Column& v) {
    const std::size_t rows = u.shape(0), columns = v.shape(0);
    Coupling grid;
    {
        nb::gil_scoped_release release;
        grid = coupling_of({view(first), view(second), view(shared)}, view(u), view(v));
    }
    return {give(std::move(grid.value), {rows, columns}),
            give(std::move(grid.by_u), {rows, columns}),
            give(std::move(grid.by_v), {rows, columns}),
            give(std::move(grid.by_both), {rows, columns})};
}

Out<double> couple_counts_in_powers(const Column& first, const Column& second, const Column& shared,
                                    std::size_t n_powers) {
    std::vector<double> found;
    {
        nb::gil_scoped_release release;
        found = coupling_series({view(first), view(second), view(shared)}, n_powers);
    }
    return give(std::move(found), {n_powers, n_powers});
}

}  // namespace
}  // namespace sfumato

void bind_moments_counts(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("count_law", &count_law, "events"_a, "negligible"_a);
    module.def("count_entropies", &count_entropies, "events"_a, "offsets"_a, "largest"_a,
               "is_discrete"_a, "error"_a, "constant"_a, "starts"_a, "rates"_a, "weights"_a);
    module.def("product_entropies", &product_entropies, "first"_a, "second"_a, "largest"_a,
               "is_discrete"_a, "error"_a, "constant"_a, "starts"_a, "rates"_a, "weights"_a);
    module.def("count_transform", &count_transform, "events"_a, "largest"_a, "is_discrete"_a,
               "error"_a, "constant"_a, "starts"_a, "rates"_a, "weights"_a);
    module.def("couple_counts", &couple_counts, "first"_a, "second"_a, "shared"_a, "u"_a, "v"_a);
    module.def("couple_counts_in_powers", &couple_counts_in_powers, "first"_a, "second"_a,
               "shared"_a, "n_powers"_a);
}
