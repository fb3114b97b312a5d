/* SPDX-License-Identifier: MIT
 * See worker/memory_calls.h. */
#include "worker/memory_calls.h"

#include <string.h>
#include <sys/resource.h>

#include "worker/channel.h"
#include "worker/heap.h"
#include "worker/loop.h"

static struct rusage before;

static void set_window(const struct session* session, uint64_t stretch) {
  if (session->areas.window != NULL) {
    volatile uint64_t* const flag = &session->areas.window->stretch;
    *flag = stretch;
  }
}

static void read_usage(struct rusage* usage) {
  if (getrusage(RUSAGE_SELF, usage) != 0) {
    channel_fail_system("getrusage");
  }
}

static void open_stretch(struct session* session, uint64_t stretch,
                         struct hashprof_memory_call* call) {
  call->pages.anon_before_kib = memory_read_kib(session->files.status, "RssAnon:");
  read_usage(&before);
  heap_open(stretch == HASHPROF_STRETCH_LOAD);
  set_window(session, stretch);
}

static void close_stretch(struct session* session, struct hashprof_memory_call* call) {
  struct rusage after;
  set_window(session, HASHPROF_STRETCH_NONE);
  heap_close(&call->heap);
  read_usage(&after);
  call->pages.anon_after_kib = memory_read_kib(session->files.status, "RssAnon:");
  call->pages.minor_faults = (uint64_t)(after.ru_minflt - before.ru_minflt);
  call->pages.major_faults = (uint64_t)(after.ru_majflt - before.ru_majflt);
  call->pages.voluntary_switches = (uint64_t)(after.ru_nvcsw - before.ru_nvcsw);
  call->pages.involuntary_switches = (uint64_t)(after.ru_nivcsw - before.ru_nivcsw);
}

static struct hashprof_memory_report* report_of(const struct session* session) {
  return (struct hashprof_memory_report*)session->areas.report;
}

void memory_prepare_calls(struct session* session) {
  struct hashprof_memory_report* const report = report_of(session);
  heap_prepare();
  report->is_metered = (uint32_t)heap_is_metered();
  open_stretch(session, HASHPROF_STRETCH_NONE, &report->load);
  close_stretch(session, &report->load);
}

void memory_begin_load(struct session* session) {
  open_stretch(session, HASHPROF_STRETCH_LOAD, &report_of(session)->load);
}

void memory_end_load(struct session* session) { close_stretch(session, &report_of(session)->load); }

static void measure_item(struct session* session, uint32_t number,
                         struct hashprof_memory_call* calls) {
  /* Copied: the library could have scribbled on the table since. */
  struct hashprof_item item;
  memcpy(&item, session->areas.message + number * sizeof item, sizeof item);
  const struct target target = {session->entry, (int)item.digest_bits,
                                session->areas.message + item.message_at, item.message_bits,
                                session->areas.digest};
  for (uint32_t call = 0; call < HASHPROF_MEMORY_CALLS; ++call) {
    open_stretch(session, HASHPROF_STRETCH_OF_CALL(number, call), &calls[call]);
    const int returned = run_calls(&target, 1);
    close_stretch(session, &calls[call]);
    if (returned != 0) {
      channel_fail(HASHPROF_ERROR_RETURNED, returned, number, "");
    }
  }
}

void measure_memory(struct session* session, struct hashprof_result* result) {
  const char* const fault = heap_find_fault();
  if (fault != NULL) {
    channel_fail(HASHPROF_ERROR_METER, 0, 0, fault);
  }
  struct hashprof_memory_report* const report = report_of(session);
  struct hashprof_memory_call* const calls = (struct hashprof_memory_call*)(report + 1);
  memory_read_baseline(&session->files, result);
  memory_read_process(&session->files, &report->before);
  const int is_peak_of_calls = memory_reset_peak(&session->files);
  for (uint32_t i = 0; i < session->request->items; ++i) {
    channel_announce(HASHPROF_STEP_CALL, i);
    measure_item(session, i, &calls[(size_t)i * HASHPROF_MEMORY_CALLS]);
    ++result->items_done;
    report->items_done = (uint32_t)result->items_done;
  }
  memory_read_process(&session->files, &report->after);
  if (!is_peak_of_calls) {
    report->after.peak_kib = UINT64_MAX;
  }
  memory_read_peak(&session->files, result);
}
