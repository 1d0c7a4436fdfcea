#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

#include "interrupt.hpp"

namespace nb = nanobind;

void bind_extremes_hard(nb::module_& module);
void bind_extremes_matching(nb::module_& module);
void bind_extremes_rough(nb::module_& module);
void bind_matching_laws(nb::module_& module);
void bind_measures(nb::module_& module);
void bind_moments(nb::module_& module);
void bind_pairs(nb::module_& module);
void bind_table_laws(nb::module_& module);
void bind_policies(nb::module_& module);
void bind_profiles(nb::module_& module);
void bind_tables(nb::module_& module);

namespace {

const std::thread::id main_thread = std::this_thread::get_id();

// Python takes note of Ctrl-C but acts on it only when asked, on its main thread. A search looks up
// now and then: taking the lock at every node would cost more than a small node does.
void poll_signals() {
    using Clock = std::chrono::steady_clock;
    constexpr auto pause = std::chrono::milliseconds(50);
    static thread_local Clock::time_point next{};
    if (std::this_thread::get_id() != main_thread) return;
    const Clock::time_point now = Clock::now();
    if (now < next) return;
    next = now + pause;
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

NB_MODULE(_core, module) {
    sfumato::poll = &poll_signals;
    module.doc() = "Compiled kernels; see sfumato.algorithms for what they compute.";
    bind_extremes_hard(module);
    bind_extremes_matching(module);
    bind_extremes_rough(module);
    bind_matching_laws(module);
    bind_measures(module);
    bind_moments(module);
    bind_pairs(module);
    bind_table_laws(module);
    bind_policies(module);
    bind_profiles(module);
    bind_tables(module);
}
