// Python functions for counts in moments/.
#include <optional>

#include "bind/arrays.hpp"
#include "moments/count_coupling.hpp"
#include "moments/expected_xlogx.hpp"

namespace sfumato {
namespace {

// How Python passes LogarithmFits: as seven arguments, after the others of a kernel.
template <class Found, class... First>
auto with_fits(Found (*kernel)(const LogarithmFits&, First...)) {
    return [kernel](First... first, const FloatArray& largest, const FloatArray& is_discrete,
                    const FloatArray& error, const FloatArray& constant, const IntArray& starts,
                    const FloatArray& rates, const FloatArray& weights) {
        return kernel({view(largest), view(is_discrete), view(error), view(constant), view(starts),
                       view(rates), view(weights)},
                      first...);
    };
}

auto give_law(CountLaw&& law) {
    return std::tuple(law.first, give(std::move(law.probabilities)), law.lost);
}

auto count_law(const FloatArray& events, double negligible) {
    return give_law(unlocked([&] { return law_of_count(view(events), negligible); }));
}

// The law of the sum of two independent counts, of which the least add up to `first`.
auto add_count_laws(std::size_t first, const FloatArray& one, const FloatArray& two,
                    double negligible) {
    return give_law(unlocked([&] { return convolve(first, view(one), view(two), negligible); }));
}

// Values and errors of several estimates.
struct Estimates {
    std::vector<double> values, errors;

    void add(const Estimate& found) {
        values.push_back(found.value);
        errors.push_back(found.error);
    }
    auto take() { return std::tuple(give(std::move(values)), give(std::move(errors))); }
};

// Count t counts the events from offsets[t] to offsets[t + 1].
auto count_entropies(const LogarithmFits& fits, const FloatArray& events, const IntArray& offsets) {
    Estimates found;
    unlocked([&] {
        for (std::size_t t = 0; t + 1 < offsets.size(); ++t) {
            found.add(expected_xlogx(part(events, offsets, t), fits));
        }
    });
    return found.take();
}

// For each count the number of its fit (-1 if none is wide enough) and the scale.
auto choose_fits(const LogarithmFits& fits, const FloatArray& means, const FloatArray& variances,
                 double possible) {
    std::vector<std::int64_t> numbers;
    std::vector<double> scales;
    for (std::size_t t = 0; t < means.size(); ++t) {
        const CountSummary count{means.data()[t], variances.data()[t], 0.0, possible, 1.0};
        const std::optional<ChosenFit> chosen = choose_fit(count, fits);
        numbers.push_back(chosen ? static_cast<std::int64_t>(chosen->number) : -1);
        scales.push_back(chosen ? chosen->scale : 1.0);
    }
    return std::tuple(give(std::move(numbers)), give(std::move(scales)));
}

LogarithmNodes nodes_at(const LogarithmFits& fits, const IntArray& numbers,
                        const FloatArray& scales, std::size_t t) {
    return nodes_of({static_cast<std::size_t>(numbers.data()[t]), scales.data()[t]}, fits);
}

// Sums over some events of each count, those from offsets[t] to offsets[t + 1], at the nodes of its
// fit: mean, sure events and steps; then logs and slopes, one list after the other.
auto count_log_sums(const LogarithmFits& fits, const FloatArray& events, const IntArray& offsets,
                    const FloatArray& means, const IntArray& numbers, const FloatArray& scales) {
    const std::size_t n_counts = numbers.size();
    std::vector<double> totals(3 * n_counts), logs, slopes;
    unlocked([&] {
        for (std::size_t t = 0; t < n_counts; ++t) {
            allow_interrupt();
            const auto own = part(events, offsets, t);
            const CountSummary count = summarise(own);
            const LogSums found =
                sum_logs(own, count, means.data()[t], nodes_at(fits, numbers, scales, t));
            totals[t] = count.mean;
            totals[n_counts + t] = count.sure;
            totals[2 * n_counts + t] = found.n_steps;
            logs.insert(logs.end(), found.logs.begin(), found.logs.end());
            slopes.insert(slopes.end(), found.slopes.begin(), found.slopes.end());
        }
    });
    return std::tuple(give(std::move(totals), {3, n_counts}), give(std::move(logs)),
                      give(std::move(slopes)));
}

// E[N log N] of counts of up to `possible` events each, from such sums.
auto entropies_of_log_sums(const LogarithmFits& fits, const In<double, 2>& totals,
                           const FloatArray& logs, const FloatArray& slopes,
                           const IntArray& numbers, const FloatArray& scales, double possible) {
    const std::size_t n_counts = numbers.size();
    Estimates found;
    std::size_t at = 0;
    for (std::size_t t = 0; t < n_counts; ++t) {
        const double* const total = totals.data() + t;
        const CountSummary count{total[0], 0.0, total[n_counts], possible, 1.0};
        const LogarithmNodes nodes = nodes_at(fits, numbers, scales, t);
        const std::size_t end = at + nodes.gaps.size();
        found.add(expected_by_nodes(count, nodes,
                                    {{logs.data() + at, logs.data() + end},
                                     {slopes.data() + at, slopes.data() + end},
                                     total[2 * n_counts]}));
        at = end;
    }
    return found.take();
}

// The window's nodes, the fit there, and the sums of events below 1; no nodes if no fit is wide
// enough.
auto count_transform(const LogarithmFits& fits, const FloatArray& events) {
    LogarithmNodes nodes;
    LogSums found;
    unlocked([&] {
        const CountSummary count = summarise(view(events));
        if (const std::optional<ChosenFit> chosen = choose_fit(count, fits)) {
            nodes = nodes_of(*chosen, fits);
            found = sum_logs(view(events), count, count.mean, nodes);
        }
    });
    return std::tuple(nodes.constant, nodes.error, give(std::move(nodes.exponents)),
                      give(std::move(nodes.weights)), give(std::move(found.logs)),
                      give(std::move(found.slopes)));
}

auto couple_counts(const FloatArray& first, const FloatArray& second, const FloatArray& shared,
                   const FloatArray& u, const FloatArray& v) {
    Coupling grid = unlocked(
        [&] { return coupling_of({view(first), view(second), view(shared)}, view(u), view(v)); });
    const auto of_nodes = [&](std::vector<double>& values) {
        return give(std::move(values), {u.size(), v.size()});
    };
    return std::tuple(of_nodes(grid.value), of_nodes(grid.by_u), of_nodes(grid.by_v),
                      of_nodes(grid.by_both));
}

auto couple_counts_in_powers(const FloatArray& first, const FloatArray& second,
                             const FloatArray& shared, std::size_t n_powers) {
    return give(unlocked([&] {
                    return coupling_series({view(first), view(second), view(shared)}, n_powers);
                }),
                {n_powers, n_powers});
}

}  // namespace
}  // namespace sfumato

void bind_moments_counts(nanobind::module_& module) {
    using namespace sfumato;
    module.def("count_law", &count_law);
    module.def("add_count_laws", &add_count_laws);
    module.def("count_entropies", with_fits(&count_entropies));
    module.def("choose_fits", with_fits(&choose_fits));
    module.def("count_log_sums", with_fits(&count_log_sums));
    module.def("entropies_of_log_sums", with_fits(&entropies_of_log_sums));
    module.def("count_transform", with_fits(&count_transform));
    module.def("couple_counts", &couple_counts);
    module.def("couple_counts_in_powers", &couple_counts_in_powers);
}
