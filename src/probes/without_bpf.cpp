// SPDX-License-Identifier: MIT
// The unit's headers in a program that was built without BPF: nothing opens, and each reason says
// why. What only an open probe can be asked is never called.
#include "base/error.h"
#include "probes/capability.h"
#include "probes/heap_probe.h"
#include "probes/window_probe.h"

namespace hashprof::probes {

namespace {

constexpr const char* kReason = "this hashprof was built without BPF (HASHPROF_WITH_BPF=OFF)";

[[noreturn]] void throw_never() { throw Error(Fault::internal, "", kReason); }

}  // namespace

std::vector<Capability> probe_capabilities() { return {{"bpf", false, kReason}}; }

class HeapProbe::Programs {};

HeapProbe::HeapProbe(std::unique_ptr<Programs> programs) : programs_(std::move(programs)) {}
HeapProbe::~HeapProbe() = default;
HeapProbe::Opened HeapProbe::open() { return {nullptr, kReason}; }
int HeapProbe::window_fd() const { throw_never(); }
std::string HeapProbe::attach(pid_t /*pid*/) { return kReason; }
record::HeapUse HeapProbe::read(std::uint32_t /*stretch*/) const { throw_never(); }
std::string HeapProbe::why_lost(std::uint32_t /*stretch*/) const { throw_never(); }

class WindowProbe::Programs {};

WindowProbe::WindowProbe(std::unique_ptr<Programs> programs) : programs_(std::move(programs)) {}
WindowProbe::~WindowProbe() = default;
WindowProbe::Opened WindowProbe::open() { return {nullptr, kReason}; }
int WindowProbe::window_fd() const { throw_never(); }
void WindowProbe::watch(pid_t /*pid*/) { throw_never(); }
void WindowProbe::reset() { throw_never(); }
WindowReading WindowProbe::read(std::uint32_t /*stretch*/) const { throw_never(); }
std::vector<AbsentFigure> WindowProbe::absent() const { throw_never(); }

}  // namespace hashprof::probes
