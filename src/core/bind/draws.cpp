// Python functions for draws/.
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "draws/consensus.hpp"
#include "draws/losses.hpp"
#include "draws/mean_loss.hpp"
#include "draws/pair_tables.hpp"
#include "draws/relabel.hpp"
#include "share_work.hpp"

namespace sfumato {
namespace {

std::pair<Out<std::int32_t>, Out<std::int64_t>> relabel(const In<std::int64_t, 2>& labels,
                                                        std::size_t n_labels) {
    const std::size_t s = labels.shape(0), n = labels.shape(1);
    std::vector<std::int32_t> codes(s * n);
    std::vector<std::int64_t> sizes(s);
    {
        nb::gil_scoped_release release;
        draws::relabel(view(labels), n, n_labels, codes, sizes);
    }
    return {give(std::move(codes), {s, n}), give(std::move(sizes))};
}

Out<std::int64_t> pair_tables(const In<std::int32_t, 2>& rows, const In<std::int32_t, 2>& columns,
                              const In<std::int64_t, 1>& first, const In<std::int64_t, 1>& second,
                              std::size_t k, std::size_t l) {
    const std::size_t size = first.size();
    std::vector<std::int64_t> tables(size * k * l);
    {
        nb::gil_scoped_release release;
        draws::pair_tables(view(rows), view(columns), view(first), view(second), rows.shape(1), k,
                           l, tables);
    }
    return give(std::move(tables), {size, k, l});
}

template <class Loss>
Out<double> losses(const In<std::int32_t, 2>& codes, const In<std::int32_t, 1>& center) {
    const std::size_t s = codes.shape(0), n = codes.shape(1);
    std::vector<double> found(s);
    {
        nb::gil_scoped_release release;
        const Loss loss(n);
        const draws::Draws all{view(codes), found, n};
        const draws::Margins<Loss> margins(loss, all);
        draws::LossTo<Loss> to(loss, all, margins, center.data());
        for (std::size_t draw = 0; draw < s; ++draw) found[draw] = to(draw);
    }
    return give(std::move(found));
}

// Mean losses of the draws themselves; infinite where they are above a limit.
template <class Loss>
Out<double> mean_losses(const In<std::int32_t, 2>& codes, const In<double, 1>& weights,
                        const In<std::int64_t, 1>& candidates, double limit,
                        std::size_t n_threads) {
    std::vector<double> found(candidates.size());
    {
        nb::gil_scoped_release release;
        const Loss loss(codes.shape(1));
        const draws::Draws all{view(codes), view(weights), codes.shape(1)};
        const draws::Margins<Loss> margins(loss, all);
        share_work(found.size(), n_threads, [&](std::size_t at) {
            const auto draw = static_cast<std::size_t>(candidates.data()[at]);
            found[at] = draws::mean_loss(loss, all, margins, all.of(draw), limit);
        });
    }
    return give(std::move(found));
}

// One search for each start; each has its own seed, so threads change nothing.
template <class Loss>
std::pair<Out<std::int32_t>, Out<double>> consensus(const In<std::int32_t, 2>& codes,
                                                    const In<double, 1>& weights,
                                                    const In<std::int32_t, 2>& starts,
                                                    const In<std::uint64_t, 1>& seeds,
                                                    std::size_t slots, std::size_t n_threads) {
    const std::size_t n = codes.shape(1), size = starts.shape(0);
    std::vector<std::int32_t> labels(size * n);
    std::vector<double> found(size);
    {
        nb::gil_scoped_release release;
        const Loss loss(n);
        const draws::Draws all{view(codes), view(weights), n};
        const draws::ByObject<Loss> by_object(loss, all);
        share_work(size, n_threads, [&](std::size_t at) {
            draws::Consensus<Loss> search(loss, all, by_object, slots, seeds.data()[at]);
            const auto [best, value] = search.search(starts.data() + at * n);
            std::copy(best.begin(), best.end(),
                      labels.begin() + static_cast<std::ptrdiff_t>(at * n));
            found[at] = value;
        });
    }
    return {give(std::move(labels), {size, n}), give(std::move(found))};
}

}  // namespace
}  // namespace sfumato

void bind_draws(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("relabel_draws", &relabel, "labels"_a, "n_labels"_a);
    module.def("pair_tables", &pair_tables, "rows"_a, "columns"_a, "first"_a, "second"_a, "k"_a,
               "l"_a);
    const auto def = [&]<class Loss>(const std::string& name) {
        module.def(("losses_by_" + name).c_str(), &losses<Loss>, "codes"_a, "center"_a);
        module.def(("mean_losses_by_" + name).c_str(), &mean_losses<Loss>, "codes"_a, "weights"_a,
                   "candidates"_a, "limit"_a, "n_threads"_a);
        module.def(("consensus_by_" + name).c_str(), &consensus<Loss>, "codes"_a, "weights"_a,
                   "starts"_a, "seeds"_a, "slots"_a, "n_threads"_a);
    };
    def.operator()<draws::InformationLoss>("information");
    def.operator()<draws::PairLoss>("pairs");
    def.operator()<draws::AdjustedLoss>("adjusted_pairs");
}
