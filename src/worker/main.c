/* SPDX-License-Identifier: MIT
 * hashprof-worker: exec'ed once per measured process. The order of main is the security order:
 * everything above enter_sandbox runs with the parent's privilege and trusts its input, everything
 * from dlopen on shares the process with a library that nobody vouches for. */
#include <dlfcn.h>
#include <string.h>

#include "worker/channel.h"
#include "worker/contract.h"
#include "worker/counter.h"
#include "worker/depth.h"
#include "worker/measure.h"
#include "worker/memory.h"
#include "worker/memory_calls.h"
#include "worker/protocol.h"
#include "worker/sandbox.h"
#include "worker/stack.h"

static struct hashprof_request request;
static struct hashprof_result result;

_Noreturn static void fail_load(void) {
  const char* text = dlerror();
  channel_fail(HASHPROF_ERROR_LOAD, 0, 0, text != NULL ? text : "no reason given");
}

static hash_function load_entry(struct session* session, const char* name) {
  if (request.kind == HASHPROF_KIND_MEMORY) {
    memory_begin_load(session);
  }
  void* library = dlopen("/proc/self/fd/4", RTLD_NOW | RTLD_LOCAL);
  if (request.kind == HASHPROF_KIND_MEMORY) {
    memory_end_load(session);
  }
  if (library == NULL) {
    fail_load();
  }
  void* symbol = dlsym(library, name);
  if (symbol == NULL) {
    fail_load();
  }
  hash_function entry = NULL;
  /* ISO C has no conversion from an object pointer; POSIX promises equal representation. */
  memcpy(&entry, &symbol, sizeof entry);
  return entry;
}

int main(void) {
  struct session session;
  memset(&session, 0, sizeof session);
  memset(&result, 0, sizeof result);
  session.request = &request;
  session.counters.fd = -1;
  channel_announce(HASHPROF_STEP_START, 0);
  channel_receive(&request);

  channel_announce(HASHPROF_STEP_COUNTERS, 0);
  if (request.flags & HASHPROF_FLAG_COUNT) {
    counter_open(&session.counters, request.events);
    /* Here, so that no library has touched the process yet. */
    result.probe_cycles = session.counters.fd >= 0 ? counter_probe(&session.counters) : 0;
  }
  memcpy(result.open_errno, session.counters.open_errno, sizeof result.open_errno);

  channel_announce(HASHPROF_STEP_MAP, 0);
  if (request.kind == HASHPROF_KIND_CONTRACT) {
    contract_map(&request);
  } else {
    memory_map(&session.areas, &request);
  }
  if (request.kind == HASHPROF_KIND_STACK || request.kind == HASHPROF_KIND_DEPTH) {
    stack_map(request.stack_bytes);
  }
  memory_open(&session.files);
  if (request.kind == HASHPROF_KIND_MEMORY) {
    memory_prepare_calls(&session);
  }

  channel_announce(HASHPROF_STEP_SANDBOX, 0);
  enter_sandbox(&request);

  if (request.flags & HASHPROF_FLAG_WAIT) {
    channel_announce(HASHPROF_STEP_READY, 0);
    channel_wait();
  }
  if (request.kind == HASHPROF_KIND_DEPTH) { /* loads no library */
    measure_depth(&session, &result);
    channel_finish(&result);
  }
  channel_announce(HASHPROF_STEP_LOAD, 0);
  session.entry = load_entry(&session, request.entry);
  result.entry_address = (uint64_t)(uintptr_t)session.entry;

  switch (request.kind) {
    case HASHPROF_KIND_KAT:
      measure_kat(&session, &result);
      break;
    case HASHPROF_KIND_CALIBRATE:
      measure_calibration(&session, &result);
      break;
    case HASHPROF_KIND_PERCALL:
      measure_percall(&session, &result);
      break;
    case HASHPROF_KIND_MEMORY:
      measure_memory(&session, &result);
      break;
    case HASHPROF_KIND_STACK:
      measure_stack(&session, &result);
      break;
    case HASHPROF_KIND_CONTRACT:
      contract_check(&session, &result);
      break;
    default: /* channel_receive let no other kind pass */
      measure_trial(&session, &result);
  }
  channel_finish(&result);
}
