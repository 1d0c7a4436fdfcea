// Python functions for draws/.
#include <nanobind/stl/pair.h>

#include <string>

#include "bind/arrays.hpp"
#include "draws/consensus.hpp"

void bind_draws(nanobind::module_& module) {
    using namespace sfumato;
    module.def("relabel_draws", &draws::relabel, unlocked);
    module.def("pair_tables", &draws::pair_tables, unlocked);
    const auto def = [&]<class Loss>(const std::string& name) {
        module.def(("losses_by_" + name).c_str(), &draws::losses<Loss>, unlocked);
        module.def(("mean_losses_by_" + name).c_str(), &draws::mean_losses<Loss>, unlocked);
        module.def(("consensus_by_" + name).c_str(), &draws::consensus<Loss>, unlocked);
    };
    def.operator()<draws::InformationLoss>("information");
    def.operator()<draws::PairLoss>("pairs");
    def.operator()<draws::AdjustedLoss>("adjusted_pairs");
}
