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

// The law of the sum of two independent counts, of which the least add up to `first`.
std::tuple<std::size_t, Out<double>, double> add_count_laws(std::size_t first, const Column& one,
                                                            const Column& two, double negligible) {
    CountLaw law;
    {
        nb::gil_scoped_release release;
        law = convolve(first, view(one), view(two), negligible);
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

// For each count the number of its fit (-1 if none is wide enough) and the scale.
std::tuple<Out<std::int64_t>, Out<double>> choose_fits(const Column& means, const Column& variances,
                                                       double possible, const Column& largest,
                                                       const Column& is_discrete,
                                                       const Column& error, const Column& constant,
                                                       const In<std::int64_t, 1>& starts,
                                                       const Column& rates, const Column& weights) {
    const auto fits = fits_of(largest, is_discrete, error, constant, starts, rates, weights);
    std::vector<std::int64_t> numbers;
    std::vector<double> scales;
    for (std::size_t t = 0; t < means.size(); ++t) {
        const CountSummary count{means.data()[t], variances.data()[t], 0.0, possible, 1.0};
        const std::optional<ChosenFit> chosen = choose_fit(count, fits);
        numbers.push_back(chosen ? static_cast<std::int64_t>(chosen->number) : -1);
        scales.push_back(chosen ? chosen->scale : 1.0);
    }
    return {give(std::move(numbers)), give(std::move(scales))};
}

// Sums over some events of each count, those from offsets[t] to offsets[t + 1], at the nodes of its
// fit: mean, sure events and steps; then logs and slopes, one list after the other.
std::tuple<Out<double>, Out<double>, Out<double>> count_log_sums(
    const Column& events, const In<std::int64_t, 1>& offsets, const Column& means,
    const In<std::int64_t, 1>& numbers, const Column& scales, const Column& largest,
    const Column& is_discrete, const Column& error, const Column& constant,
    const In<std::int64_t, 1>& starts, const Column& rates, const Column& weights) {
    const std::size_t n_counts = numbers.size();
    std::vector<double> totals(3 * n_counts), logs, slopes;
    {
        nb::gil_scoped_release release;
        const auto fits = fits_of(largest, is_discrete, error, constant, starts, rates, weights);
        for (std::size_t t = 0; t < n_counts; ++t) {
            allow_interrupt();
            const auto first = static_cast<std::size_t>(offsets.data()[t]);
            const auto size = static_cast<std::size_t>(offsets.data()[t + 1]) - first;
            const auto own = view(events).subspan(first, size);
            const CountSummary count = summarise(own);
            const auto number = static_cast<std::size_t>(numbers.data()[t]);
            const LogarithmNodes nodes = nodes_of({number, scales.data()[t]}, fits);
            const LogSums found = sum_logs(own, count, means.data()[t], nodes);
            totals[t] = count.mean;
            totals[n_counts + t] = count.sure;
            totals[2 * n_counts + t] = found.n_steps;
            logs.insert(logs.end(), found.logs.begin(), found.logs.end());
            slopes.insert(slopes.end(), found.slopes.begin(), found.slopes.end());
        }
    }
    return {give(std::move(totals), {std::size_t{3}, n_counts}), give(std::move(logs)),
            give(std::move(slopes))};
}

// E[N log N] of counts of up to `possible` events each, from such sums.
std::tuple<Out<double>, Out<double>> entropies_of_log_sums(
    const In<double, 2>& totals, const Column& logs, const Column& slopes,
    const In<std::int64_t, 1>& numbers, const Column& scales, double possible,
    const Column& largest, const Column& is_discrete, const Column& error, const Column& constant,
    const In<std::int64_t, 1>& starts, const Column& rates, const Column& weights) {
    const auto fits = fits_of(largest, is_discrete, error, constant, starts, rates, weights);
    const std::size_t n_counts = numbers.size();
    std::vector<double> values, errors;
    std::size_t at = 0;
    for (std::size_t t = 0; t < n_counts; ++t) {
        const double* const total = totals.data() + t;
        const CountSummary count{total[0], 0.0, total[n_counts], possible, 1.0};
        const auto number = static_cast<std::size_t>(numbers.data()[t]);
        const LogarithmNodes nodes = nodes_of({number, scales.data()[t]}, fits);
        const std::size_t end = at + nodes.gaps.size();
        const LogSums sums{{logs.data() + at, logs.data() + end},
                           {slopes.data() + at, slopes.data() + end},
                           total[2 * n_counts]};
        const Estimate found = expected_by_nodes(count, nodes, sums);
        values.push_back(found.value);
        errors.push_back(found.error);
        at = end;
    }
    return {give(std::move(values)), give(std::move(errors))};
}

// The window's nodes, the fit there, and the sums of events below 1; no nodes if no fit is wide
// enough.
std::tuple<double, double, Out<double>, Out<double>, Out<double>, Out<double>> count_transform(
    const Column& events, const Column& largest, const Column& is_discrete, const Column& error,
    const Column& constant, const In<std::int64_t, 1>& starts, const Column& rates,
    const Column& weights) {
    LogarithmNodes nodes;
    LogSums found;
    {
        nb::gil_scoped_release release;
        const auto fits = fits_of(largest, is_discrete, error, constant, starts, rates, weights);
        const CountSummary count = summarise(view(events));
        if (const std::optional<ChosenFit> chosen = choose_fit(count, fits)) {
            nodes = nodes_of(*chosen, fits);
            found = sum_logs(view(events), count, count.mean, nodes);
        }
    }
    return {nodes.constant,
            nodes.error,
            give(std::move(nodes.exponents)),
            give(std::move(nodes.weights)),
            give(std::move(found.logs)),
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
    module.def("add_count_laws", &add_count_laws, "first"_a, "one"_a, "two"_a, "negligible"_a);
    module.def("count_entropies", &count_entropies, "events"_a, "offsets"_a, "largest"_a,
               "is_discrete"_a, "error"_a, "constant"_a, "starts"_a, "rates"_a, "weights"_a);
    module.def("choose_fits", &choose_fits, "means"_a, "variances"_a, "possible"_a, "largest"_a,
               "is_discrete"_a, "error"_a, "constant"_a, "starts"_a, "rates"_a, "weights"_a);
    module.def("count_log_sums", &count_log_sums, "events"_a, "offsets"_a, "means"_a, "numbers"_a,
               "scales"_a, "largest"_a, "is_discrete"_a, "error"_a, "constant"_a, "starts"_a,
               "rates"_a, "weights"_a);
    module.def("entropies_of_log_sums", &entropies_of_log_sums, "totals"_a, "logs"_a, "slopes"_a,
               "numbers"_a, "scales"_a, "possible"_a, "largest"_a, "is_discrete"_a, "error"_a,
               "constant"_a, "starts"_a, "rates"_a, "weights"_a);
    module.def("count_transform", &count_transform, "events"_a, "largest"_a, "is_discrete"_a,
               "error"_a, "constant"_a, "starts"_a, "rates"_a, "weights"_a);
    module.def("couple_counts", &couple_counts, "first"_a, "second"_a, "shared"_a, "u"_a, "v"_a);
    module.def("couple_counts_in_powers", &couple_counts_in_powers, "first"_a, "second"_a,
               "shared"_a, "n_powers"_a);
}
