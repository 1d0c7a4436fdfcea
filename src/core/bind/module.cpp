// The Python module sfumato._core.
#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>
#include <thread>

#include "bind/ends.hpp"
#include "interrupt.hpp"
#include "limits.hpp"

namespace nb = nanobind;

void bind_draws(nb::module_& module);
void bind_ends_both_rough(nb::module_& module);
void bind_ends_hard_truth(nb::module_& module);
void bind_ends_matching(nb::module_& module);
void bind_ends_open_tables(nb::module_& module);
void bind_expectations(nb::module_& module);
void bind_laws(nb::module_& module);
void bind_moments_counts(nb::module_& module);
void bind_moments_pairs(nb::module_& module);
void bind_possibility(nb::module_& module);
void bind_sampling(nb::module_& module);
void bind_tables(nb::module_& module);
void bind_tables_level_lines(nb::module_& module);

namespace {

using Limits = sfumato::Limits;
using Clock = Limits::Clock;

const std::thread::id main_thread = std::this_thread::get_id();

thread_local std::optional<Limits> limits;

// Ends all work on this thread that allows interrupts: so many seconds from now, or when told to.
void limit_time(double seconds, const sfumato::Flag& stop) {
    limits.emplace(0, seconds, stop.data());
}

void unlimit_time() { limits.reset(); }

// Python remembers Ctrl-C and raises it when asked to, on its main thread only. Asking takes the
// GIL, which costs more than a small node of a search, so it is done every 50 milliseconds.
void poll_signals() {
    constexpr auto pause = std::chrono::milliseconds(50);
    static thread_local Clock::time_point next{};
    const bool is_main = std::this_thread::get_id() == main_thread;
    if (limits && limits->is_late()) throw sfumato::OutOfTime();
    if (!is_main) return;
    const Clock::time_point now = Clock::now();
    if (now < next) return;
    next = now + pause;
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

NB_MODULE(_core, module) {
    sfumato::poll = &poll_signals;
    nb::exception<sfumato::OutOfTime>(module, "OutOfTimeError");
    module.def("limit_time", &limit_time);
    module.def("unlimit_time", &unlimit_time);
    module.doc() = "Compiled kernels; see sfumato.algorithms for what they compute.";
    bind_draws(module);
    bind_ends_both_rough(module);
    bind_ends_hard_truth(module);
    bind_ends_matching(module);
    bind_ends_open_tables(module);
    bind_expectations(module);
    bind_laws(module);
    bind_moments_counts(module);
    bind_moments_pairs(module);
    bind_possibility(module);
    bind_sampling(module);
    bind_tables(module);
    bind_tables_level_lines(module);
}
