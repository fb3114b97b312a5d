/* SPDX-License-Identifier: MIT
 * What hashprof and hashprof-worker say to each other over descriptor 3 (SOCK_SEQPACKET): one
 * Request down, then Events up. Little-endian (both ends run on one machine), fixed widths,
 * explicit padding. Compiled as C and as C++. */
#ifndef HASHPROF_WORKER_PROTOCOL_H
#define HASHPROF_WORKER_PROTOCOL_H

#include <stdint.h>

#ifdef __cplusplus
#define HASHPROF_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define HASHPROF_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/* The names are C's (snake_case structs, upper-case constants), the checker's are C++'s. */
/* NOLINTBEGIN(readability-identifier-naming) */

#define HASHPROF_PROTOCOL_MAGIC 0x46504853u /* "SHPF" */
#define HASHPROF_PROTOCOL_VERSION 5u

/* Descriptors of a worker at exec; every other one is closed. */
enum hashprof_fd {
  HASHPROF_FD_NULL = 0,     /* /dev/null */
  HASHPROF_FD_STDOUT = 1,   /* capture pipe */
  HASHPROF_FD_STDERR = 2,   /* capture pipe */
  HASHPROF_FD_PROTOCOL = 3, /* this socket */
  HASHPROF_FD_LIBRARY = 4,  /* the library, read-only */
  HASHPROF_FD_MESSAGE =
      5, /* sealed memory: the message, or for a kat the table of items and messages */
  HASHPROF_FD_WINDOW = 6, /* a page that holds a hashprof_window, where the request says so */
  HASHPROF_FD_DIGEST = 7  /* memory for the digests of a kat, for the samples of a percall, or for
                             the report of a memory, stack or depth request */
};

enum hashprof_kind {
  HASHPROF_KIND_KAT = 1,       /* hash every item of descriptor 5, digests to descriptor 7 */
  HASHPROF_KIND_CALIBRATE = 2, /* warm up, then find the time of a call */
  HASHPROF_KIND_TRIAL = 3,     /* a timed loop in slices */
  HASHPROF_KIND_CONTRACT = 4,  /* one check of what the API promises, over many lengths */
  HASHPROF_KIND_PERCALL = 5,   /* samples of single calls, to descriptor 7 */
  HASHPROF_KIND_MEMORY = 6,    /* two calls of each item, each with what it did to the memory: a
                                  hashprof_memory_report to descriptor 7 */
  HASHPROF_KIND_STACK = 7,     /* the stack of a call of each item: hashprof_stack_item, one an
                                  item, to descriptor 7 */
  HASHPROF_KIND_DEPTH = 8      /* the stack of functions of the C library; items = how many of
                                  worker/depth.h: hashprof_stack_item, one a function */
};

enum hashprof_flag {
  HASHPROF_FLAG_DROP_UID =
      1u << 0, /* parent is root: bounding set, groups, gid and uid are dropped */
  HASHPROF_FLAG_HAS_WINDOW = 1u << 1,
  HASHPROF_FLAG_HAS_DIGEST = 1u << 2,
  HASHPROF_FLAG_COUNT = 1u << 3, /* open the events */
  HASHPROF_FLAG_DROP_CAPS =
      1u << 4, /* whoever runs it: no capability is left, ambient ones included */
  HASHPROF_FLAG_CHECK_OUTPUT =
      1u << 5, /* before a trial: the hash writes digest_bits, no byte more and none less */
  HASHPROF_FLAG_WHOLE_BYTES = 1u << 6, /* of a contract check: it is never given a partial byte */
  HASHPROF_FLAG_LATENCY = 1u << 7, /* calls of a calibration, trial or percall wait for each other:
                                      the first byte of the message takes (xor) that of the digest
                                      before it; the message has a byte at least */
  HASHPROF_FLAG_WAIT = 1u << 8 /* before the library is loaded, announce STEP_READY and wait for one
                                  packet of any content: somebody attaches to the process */
};

/* Announced before it is done, so that a crash, hang or exit is charged to it. */
enum hashprof_step {
  HASHPROF_STEP_START = 0,
  HASHPROF_STEP_COUNTERS = 1,
  HASHPROF_STEP_MAP = 2,
  HASHPROF_STEP_SANDBOX = 3,
  HASHPROF_STEP_LOAD = 4, /* dlopen: initialisers of the library run here */
  HASHPROF_STEP_FIRST_CALL = 5,
  HASHPROF_STEP_WARM_UP = 6,
  HASHPROF_STEP_CALL = 7, /* the timed loop, the items of a kat (detail = item), or the calls of a
                             contract check (detail = HASHPROF_CALL_DETAIL) */
  HASHPROF_STEP_CHECK = 8,
  HASHPROF_STEP_DONE = 9,
  HASHPROF_STEP_READY = 10 /* waits for the parent */
};

enum hashprof_event_type {
  HASHPROF_EVENT_STEP = 1,
  HASHPROF_EVENT_RESULT = 2,
  HASHPROF_EVENT_ERROR = 3,
  HASHPROF_EVENT_FINDING = 4 /* of a contract check: error = enum hashprof_finding */
};

/* What an ERROR event says failed. */
enum hashprof_error {
  HASHPROF_ERROR_NONE = 0,
  HASHPROF_ERROR_PROTOCOL = 1, /* request of another version */
  HASHPROF_ERROR_SYSTEM = 2,   /* a system call of ours; number = errno, text = call */
  HASHPROF_ERROR_LOAD = 3,     /* dlopen or dlsym; text = dlerror() */
  HASHPROF_ERROR_RETURNED =
      4, /* the hash returned non-zero; number = its value, detail = call or item */
  HASHPROF_ERROR_DIGEST = 5, /* the digest after the loop differs from the one before it */
  HASHPROF_ERROR_OUTPUT =
      6, /* another output length than asked for; number = the byte, from 1; detail = bytes asked */
  HASHPROF_ERROR_STACK = 7, /* a call needs more than the stack given to it; number = its bytes,
                               detail = item */
  HASHPROF_ERROR_METER = 8  /* the heap meter of this worker does not count; text = what failed */
};

/* What a worker of kind CONTRACT checks; worker/contract.h says how. */
enum hashprof_check {
  HASHPROF_CHECK_RETURNS = 1,
  HASHPROF_CHECK_REPEAT = 2,
  HASHPROF_CHECK_INPUT = 3,
  HASHPROF_CHECK_DIGEST_GUARD = 4,
  HASHPROF_CHECK_DIGEST_WHOLE = 5,
  HASHPROF_CHECK_UNUSED_BITS = 6,
  HASHPROF_CHECK_MESSAGE_ALIGNMENT = 7,
  HASHPROF_CHECK_DIGEST_ALIGNMENT = 8,
  HASHPROF_CHECK_MESSAGE_END = 9,
  HASHPROF_CHECK_DIGEST_END = 10,
  HASHPROF_CHECK_OVERLAP = 11,
  HASHPROF_CHECK_DIGEST_LENGTH = 12,
  HASHPROF_CHECK_NULL_MESSAGE = 13
};

/* What a contract check saw; the event's number and detail (HASHPROF_CALL_DETAIL) belong to it. */
enum hashprof_finding {
  HASHPROF_FINDING_RETURNED = 1,      /* number = the value, not 0 */
  HASHPROF_FINDING_OTHER_DIGEST = 2,  /* number = the first byte that differs */
  HASHPROF_FINDING_INPUT_CHANGED = 3, /* number = the byte, counted from the message's first */
  HASHPROF_FINDING_WROTE_OUTSIDE = 4, /* number = the byte, counted from the digest's first */
  HASHPROF_FINDING_NOT_WRITTEN = 5,   /* number = the first byte of the digest that was left */
  HASHPROF_FINDING_WROTE = 6,         /* number = bits that were written */
  HASHPROF_FINDING_SAME_DIGEST = 7
};

/* The length of a message, and beside it an offset in bytes or the digest length asked for. */
#define HASHPROF_CALL_DETAIL(message_bits, beside) \
  ((UINT64_C(1) << 32u) * (beside) + (message_bits))

#define HASHPROF_MAX_CHAINED_BYTES 1024 /* the message of KAT_Loop: no longer digest is chained */
#define HASHPROF_OF_REQUEST UINT32_MAX
#define HASHPROF_MAX_EVENTS 2
#define HASHPROF_EVENT_CYCLES 0
#define HASHPROF_EVENT_INSTRUCTIONS 1
#define HASHPROF_MAX_TRIES 3
#define HASHPROF_MAX_SLICES 64
/* Samples of the empty call, and at most so many of twice the batch. */
#define HASHPROF_EMPTY_SAMPLES 1000u
#define HASHPROF_MAX_DOUBLED_SAMPLES 1000u
/* A batch is long enough if its sample is so many times the empty one. */
#define HASHPROF_BATCH_FACTOR 20u
#define HASHPROF_MAX_BATCH 65536u
/* Room of descriptor 7 of a percall, in samples. */
#define HASHPROF_DOUBLED_SAMPLES(calls) \
  ((calls) < HASHPROF_MAX_DOUBLED_SAMPLES ? (calls) : HASHPROF_MAX_DOUBLED_SAMPLES)
#define HASHPROF_ALL_SAMPLES(calls) \
  (HASHPROF_EMPTY_SAMPLES + (calls) + HASHPROF_DOUBLED_SAMPLES(calls))
#define HASHPROF_PROBE_ADDS \
  1000 /* of one block of the plausibility loop; also an assembler count */
#define HASHPROF_MAX_MEMORY_ITEMS 127u
#define HASHPROF_MEMORY_CALLS 2u /* of an item: its first and its second call */
/* What the worker is in while its memory is watched. */
#define HASHPROF_STRETCH_NONE 0u
#define HASHPROF_STRETCH_LOAD 1u /* dlopen: constructors of the library */
#define HASHPROF_STRETCH_OF_CALL(item, call) (2u + HASHPROF_MEMORY_CALLS * (item) + (call))
#define HASHPROF_STRETCHES HASHPROF_STRETCH_OF_CALL(HASHPROF_MAX_MEMORY_ITEMS, 0u)
/* Below the stack of a stack request, so that no frame jumps over it unseen. Address space only. */
#define HASHPROF_STACK_GUARD_BYTES (UINT64_C(64) << 20u)
/* Blocks that may be live at once in a call; more end its figures (hashprof_heap, lost). */
#define HASHPROF_MAX_LIVE_BLOCKS 65536u
/* What hashprof-worker-heap maps for them. */
#define HASHPROF_METER_BYTES (UINT64_C(48) * HASHPROF_MAX_LIVE_BLOCKS)
#define HASHPROF_ENTRY_BYTES 128
#define HASHPROF_TEXT_BYTES 512

/* How the counters were read. */
enum hashprof_read {
  HASHPROF_READ_NONE = 0,
  HASHPROF_READ_SYSCALL = 1, /* read(2) */
  HASHPROF_READ_RDPMC = 2,   /* x86-64, user space */
  HASHPROF_READ_MRS = 3      /* AArch64, user space */
};

/* One event to open: fields of perf_event_attr. The worker adds size, pinned (leader),
 * exclude_kernel, exclude_hv and the read format. */
struct hashprof_perf_event {
  uint32_t type;
  uint32_t tries; /* how many of config1 to try, in order; 0 = the event is not wanted */
  uint64_t config;
  uint64_t config1[HASHPROF_MAX_TRIES];
};

struct hashprof_request {
  uint32_t magic;
  uint16_t version;
  uint16_t size; /* of this struct */
  uint32_t kind;
  uint32_t flags;
  uint32_t uid;
  uint32_t gid;
  uint32_t parent_pid; /* for the getppid check */
  uint32_t digest_bits;
  uint64_t message_bits; /* of a contract check: every length from 0 to this, and some longer */
  uint64_t message_map_bytes; /* size of descriptor 5 */
  uint64_t digest_map_bytes;  /* of a kat: size of descriptor 7; else of the digest area */
  uint32_t message_offset;    /* of the message in descriptor 5; of a contract check: its lengths
                                 in bytes are multiples of this */
  uint32_t digest_offset;     /* of the digest in its page-aligned area; of a kat the distance of
                                 digests of items that do not say where */
  uint64_t calls;             /* of a percall: its samples */
  uint32_t slices;
  uint32_t warmups;
  uint64_t calibrate_ns; /* wanted length of the calibration's timed part */
  uint32_t items;        /* of a kat, memory, stack or depth */
  uint32_t check;        /* of a contract check: enum hashprof_check */
  struct hashprof_perf_event events[HASHPROF_MAX_EVENTS];
  char entry[HASHPROF_ENTRY_BYTES]; /* symbol, ended by a zero byte */
  uint64_t report_map_bytes;        /* of a memory, stack or depth: size of descriptor 7 */
  uint64_t stack_bytes;             /* of a stack or depth: most that a call may take */
};

/* One item of a kat, memory or stack, in a table at the start of descriptor 5. Of a memory or
 * stack, digest_at, repeat_bytes and chained are 0: every digest goes to one area. */
struct hashprof_item {
  uint64_t message_bits;
  uint64_t message_at;   /* offset in descriptor 5 */
  uint64_t repeat_bytes; /* 0; or the message repeats so many bytes, whole pages at message_at */
  uint64_t digest_at;    /* offset in descriptor 7 */
  uint32_t digest_bits;  /* or HASHPROF_OF_REQUEST: those of the request, and item i writes to
                            i * digest_offset of it */
  uint32_t chained;      /* calls that follow the first one, each on the message that the digest
                            before it changed (KAT_Loop); whole bytes, the digest not longer */
};

/* What one stretch did with the heap. Bytes are those that were asked for. Counted is the outermost
 * call of the malloc family only: what an allocation function calls itself belongs to it. A stretch
 * owns the blocks that were allocated or resized in it; live bytes are those of its own blocks. */
struct hashprof_heap {
  uint64_t allocations; /* malloc, calloc, realloc of nothing, posix_memalign, aligned_alloc,
                           memalign, valloc, pvalloc that gave a block */
  uint64_t resizes;     /* realloc or reallocarray of a block, to another than nothing */
  uint64_t frees;       /* of a block, realloc to 0 bytes among them */
  uint64_t failures;    /* allocations and resizes that gave no block */
  uint64_t total_bytes; /* of allocations, and the new size of resizes */
  uint64_t peak_bytes;  /* most live at once; a resize counts its new size in place of the old */
  uint64_t left_bytes;  /* live at the end */
  uint64_t left_blocks;
  uint64_t foreign_frees;     /* frees and resizes of blocks that the stretch does not own */
  uint64_t peak_usable_bytes; /* as peak_bytes by malloc_usable_size; of probes 0 */
  uint64_t lost;              /* events that could not be counted; the figures hold only if 0 */
};

/* What one stretch did to the process, by the kernel's own account of it. */
struct hashprof_pages {
  uint64_t minor_faults;
  uint64_t major_faults;
  uint64_t voluntary_switches;
  uint64_t involuntary_switches;
  uint64_t anon_before_kib; /* RssAnon; UINT64_MAX = could not be read */
  uint64_t anon_after_kib;
};

struct hashprof_memory_call {
  struct hashprof_heap heap; /* zeros where the worker has no meter */
  struct hashprof_pages pages;
};

/* Figures of a whole process, in KiB; UINT64_MAX = could not be read. */
struct hashprof_rss {
  uint64_t all_kib;
  uint64_t anon_kib;
  uint64_t file_kib;
  uint64_t file_pmd_kib;
  uint64_t peak_kib; /* VmHWM */
};

/* In descriptor 7, followed by HASHPROF_MEMORY_CALLS calls an item. */
struct hashprof_memory_report {
  uint32_t is_metered; /* 1 of hashprof-worker-heap */
  uint32_t items_done;
  struct hashprof_rss before; /* before the first call */
  struct hashprof_rss after;  /* after the last */
  struct hashprof_memory_call load;
};

struct hashprof_stack_item {
  uint64_t bytes; /* between the stack pointer before the call instruction and the deepest byte
                     written below it: what the instruction pushes is in it (x86-64: 8) */
  uint64_t is_measured; /* 1; 0 = the function is not there on this machine */
};

/* Descriptor 6: written by the worker, read by BPF programs. It is in a page of its own: what the
 * library writes to it makes its own figures wrong, and nothing else. */
struct hashprof_window {
  uint64_t stretch; /* HASHPROF_STRETCH_... */
};

struct hashprof_slice {
  uint64_t calls;
  uint64_t elapsed_ns;
  uint64_t cycles;
  uint64_t instructions;
};

struct hashprof_result {
  uint32_t slice_count;
  int32_t open_errno[HASHPROF_MAX_EVENTS]; /* 0 = counts; else why the event could not be opened */
  uint32_t is_counting;                    /* 1 if the cycles event counts */
  uint32_t read_method;                    /* enum hashprof_read */
  /* Of a percall. Samples are cycles if is_counting, else nanoseconds of CLOCK_MONOTONIC_RAW. In
   * descriptor 7, each a uint64_t: HASHPROF_EMPTY_SAMPLES of the empty call, then `calls` of the
   * request of `batch` calls each, then doubled_count of twice the batch. */
  uint32_t batch;
  uint32_t doubled_count; /* 0 where one call is long enough for a sample: batch = 1 */
  uint32_t padding;
  uint64_t probe_cycles; /* of HASHPROF_PROBE_ADDS dependent additions; 0 = could not be counted */
  uint64_t calls;
  uint64_t items_done; /* of a contract check: lengths that could be judged */
  uint64_t first_call_ns;
  uint64_t first_call_cycles; /* valid if is_counting */
  uint64_t cpu_ns;            /* thread CPU time over the timed loop */
  uint64_t time_enabled_ns;
  uint64_t time_running_ns;
  uint64_t voluntary_switches;
  uint64_t involuntary_switches;
  uint64_t minor_faults;
  uint64_t major_faults;
  uint64_t migrations;
  uint64_t baseline_rss_kib; /* UINT64_MAX = could not be read */
  uint64_t peak_rss_kib;
  uint64_t file_pmd_kib;
  uint64_t anon_huge_kib;     /* before the first call, as file_pmd_kib */
  uint64_t baseline_anon_kib; /* RssAnon and RssFile before the first call */
  uint64_t baseline_file_kib;
  uint64_t last_anon_kib; /* RssAnon, RssFile and FilePmdMapped after the last one */
  uint64_t last_file_kib;
  uint64_t last_file_pmd_kib;
  uint64_t suspended_ns; /* that the machine slept during the loop: BOOTTIME less MONOTONIC */
  uint64_t message_address;
  uint64_t digest_address;
  uint64_t stack_address;
  uint64_t entry_address;
  uint64_t heap_address; /* of a block of 64 bytes taken, and given back, before the first call */
  struct hashprof_slice slices[HASHPROF_MAX_SLICES];
};

struct hashprof_event {
  uint32_t magic;
  uint16_t version;
  uint16_t type;
  uint32_t step;
  uint32_t error;
  int64_t number;
  uint64_t detail;
  char text[HASHPROF_TEXT_BYTES]; /* ended by a zero byte */
};

/* A RESULT event is followed by one packet that holds the result struct. */

HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_perf_event) == 40, "layout");
HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_item) == 40, "layout");
HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_slice) == 32, "layout");
HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_event) == 32 + HASHPROF_TEXT_BYTES, "layout");
HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_heap) == 88, "layout");
HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_pages) == 48, "layout");
HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_memory_call) == 136, "layout");
HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_memory_report) == 224, "layout");
HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_stack_item) == 16, "layout");
HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_request) == 320, "layout");
HASHPROF_STATIC_ASSERT(sizeof(struct hashprof_result) == 2304, "layout");

/* NOLINTEND(readability-identifier-naming) */

#endif
