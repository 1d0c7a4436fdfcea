// Python functions for draws/.
#include <algorithm>
#include <string>

#include "bind/arrays.hpp"
#include "draws/consensus.hpp"
#include "draws/losses.hpp"
#include "draws/mean_loss.hpp"
#include "draws/pair_tables.hpp"
#include "draws/relabel.hpp"
#include "share_work.hpp"

namespace sfumato {
namespace {

using Codes = In<std::int32_t, 2>;

auto relabel(const In<std::int64_t, 2>& labels, std::size_t n_labels) {
    const std::size_t s = labels.shape(0), n = labels.shape(1);
    std::vector<std::int32_t> codes(s * n);
    std::vector<std::int64_t> sizes(s);
    unlocked([&] { draws::relabel(view(labels), n, n_labels, codes, sizes); });
    return std::tuple(give(std::move(codes), {s, n}), give(std::move(sizes)));
}

auto pair_tables(const Codes& rows, const Codes& columns, const IntArray& first,
                 const IntArray& second, std::size_t k, std::size_t l) {
    const std::size_t size = first.size();
    std::vector<std::int64_t> tables(size * k * l);
    unlocked([&] {
        draws::pair_tables(view(rows), view(columns), view(first), view(second), rows.shape(1), k,
                           l, tables);
    });
    return give(std::move(tables), {size, k, l});
}

template <class Loss>
auto losses(const Codes& codes, const In<std::int32_t, 1>& center) {
    const std::size_t s = codes.shape(0), n = codes.shape(1);
    std::vector<double> found(s);
    unlocked([&] {
        const Loss loss(n);
        const draws::Draws all{view(codes), found, n};
        const draws::Margins<Loss> margins(loss, all);
        draws::LossTo<Loss> to(loss, all, margins, center.data());
        for (std::size_t draw = 0; draw < s; ++draw) found[draw] = to(draw);
    });
    return give(std::move(found));
}

// Mean losses of the draws themselves; infinite where they are above a limit.
template <class Loss>
auto mean_losses(const Codes& codes, const FloatArray& weights, const IntArray& candidates,
                 double limit, std::size_t n_threads) {
    std::vector<double> found(candidates.size());
    unlocked([&] {
        const Loss loss(codes.shape(1));
        const draws::Draws all{view(codes), view(weights), codes.shape(1)};
        const draws::Margins<Loss> margins(loss, all);
        share_work(found.size(), n_threads, [&](std::size_t at) {
            const auto draw = static_cast<std::size_t>(candidates.data()[at]);
            found[at] = draws::mean_loss(loss, all, margins, all.of(draw), limit);
        });
    });
    return give(std::move(found));
}

// One search for each start; each has its own seed, so threads change nothing.
template <class Loss>
auto consensus(const Codes& codes, const FloatArray& weights, const Codes& starts,
               const In<std::uint64_t, 1>& seeds, std::size_t slots, std::size_t n_threads) {
    const std::size_t n = codes.shape(1), size = starts.shape(0);
    std::vector<std::int32_t> labels(size * n);
    std::vector<double> found(size);
    unlocked([&] {
        const Loss loss(n);
        const draws::Draws all{view(codes), view(weights), n};
        const draws::ByObject<Loss> by_object(loss, all);
        share_work(size, n_threads, [&](std::size_t at) {
            draws::Consensus<Loss> search(loss, all, by_object, slots, seeds.data()[at]);
            const auto [best, value] = search.search(starts.data() + at * n);
            std::ranges::copy(best, labels.data() + at * n);
            found[at] = value;
        });
    });
    return std::tuple(give(std::move(labels), {size, n}), give(std::move(found)));
}

}  // namespace
}  // namespace sfumato

void bind_draws(nanobind::module_& module) {
    using namespace sfumato;
    module.def("relabel_draws", &relabel);
    module.def("pair_tables", &pair_tables);
    const auto def = [&]<class Loss>(const std::string& name) {
        module.def(("losses_by_" + name).c_str(), &losses<Loss>);
        module.def(("mean_losses_by_" + name).c_str(), &mean_losses<Loss>);
        module.def(("consensus_by_" + name).c_str(), &consensus<Loss>);
    };
    def.operator()<draws::InformationLoss>("information");
    def.operator()<draws::PairLoss>("pairs");
    def.operator()<draws::AdjustedLoss>("adjusted_pairs");
}
