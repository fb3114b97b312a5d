// SPDX-License-Identifier: MIT
// Jobs of memory and stack processes over a fixture library.
#pragma once

#include "runner/memory_process.h"
#include "runner_support.h"

namespace hashprof::runner {

/// Two messages, 64 and 4096 bytes, to 256 bits, by the worker with the heap meter.
[[nodiscard]] inline MemoryJob memory_job(const std::string& library) {
  MemoryJob job;
  job.worker = HASHPROF_HEAP_WORKER;
  job.library = fixture(library + ".so");
  job.entry = "CryptHash";
  job.core = test_core();
  job.items = {{64, 256}, {4096, 256}};
  return job;
}

/// The same by the worker without one.
[[nodiscard]] inline MemoryJob plain_job(const std::string& library) {
  MemoryJob job = memory_job(library);
  job.worker = HASHPROF_WORKER;
  return job;
}

}  // namespace hashprof::runner
