// The Python module sfumato._core.
#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>
#include <thread>

#include "bind/arrays.hpp"
#include "interrupt.hpp"
#include "limits.hpp"

namespace nb = nanobind;

// Each is in the file of its name.
using Bind = void(nb::module_& module);
Bind bind_draws, bind_ends_both_rough, bind_ends_hard_truth, bind_ends_matching,
    bind_ends_open_tables, bind_expectations, bind_laws, bind_moments_counts, bind_moments_pairs,
    bind_possibility, bind_sampling, bind_tables, bind_tables_level_lines;

namespace {

using Limits = sfumato::Limits;
using Clock = Limits::Clock;

const std::thread::id main_thread = std::this_thread::get_id();

thread_local std::optional<Limits> limits;

// Ends all work on this thread that allows interrupts: so many seconds from now, or when told to.
void limit_time(double seconds, std::span<std::uint8_t> stop) {
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
    for (Bind* const bind : {bind_draws, bind_ends_both_rough, bind_ends_hard_truth,
                             bind_ends_matching, bind_ends_open_tables, bind_expectations,
                             bind_laws, bind_moments_counts, bind_moments_pairs, bind_possibility,
                             bind_sampling, bind_tables, bind_tables_level_lines}) {
        bind(module);
    }
}
