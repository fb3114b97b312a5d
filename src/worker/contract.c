/* SPDX-License-Identifier: MIT
 * See worker/contract.h. Every call is announced, so that a fault is charged to its length. */
#include "worker/contract.h"

#include <string.h>
#include <sys/mman.h>

#include "worker/channel.h"
#include "worker/memory.h"

#define LONGEST_BYTES 4097u
#define BLOCK_BITS 512u
#define LAST_BLOCK_EDGE 4096u
/* Of the message and the digest in their areas: a multiple of 64, with room before it. */
#define BASE 256u
#define LAST_OFFSET 15u
/* Behind the digest, for a hash that takes no notice of the length it is asked for. */
#define ROOM 4096u
/* Of DIGEST_LENGTH: no length at the edge of a byte or block. */
#define ONE_LENGTH (contract.takes_bytes ? 408u : 403u)
#define AROUND_MESSAGE 0x5a
#define END_OF_LENGTHS UINT64_MAX

struct area {
  unsigned char* begin;
  size_t size;
};

struct contract {
  hash_function entry;
  uint32_t digest_bits;
  size_t digest_bytes;
  uint64_t dense_bits;
  uint64_t alignment;
  int takes_bytes; /* no partial bytes */
  struct area message;
  struct area digest;
  struct area copy; /* of an area before a call, or of a digest */
  struct hashprof_result* result;
};

static struct contract contract;

static struct area map_area(uint64_t size, const char* what) {
  const struct area area = {memory_map_guarded(size, what), memory_whole_pages(size)};
  return area;
}

void contract_map(const struct hashprof_request* request) {
  if (request->check < HASHPROF_CHECK_RETURNS || request->check > HASHPROF_CHECK_NULL_MESSAGE) {
    channel_fail(HASHPROF_ERROR_PROTOCOL, request->check, 0, "unknown contract check");
  }
  contract.digest_bits = request->digest_bits;
  contract.digest_bytes = (request->digest_bits + 7) / 8;
  contract.dense_bits = request->message_bits;
  contract.alignment = request->message_offset > 0 ? request->message_offset : 1;
  contract.takes_bytes = (request->flags & HASHPROF_FLAG_WHOLE_BYTES) != 0;
  const size_t digests = 2 * contract.digest_bytes + BASE + ROOM;
  const size_t dense_bytes = (request->message_bits + 7) / 8;
  const size_t longest = dense_bytes > LONGEST_BYTES ? dense_bytes : LONGEST_BYTES;
  contract.message = map_area(longest + digests, "mmap(message)");
  contract.digest = map_area(digests, "mmap(digest)");
  contract.copy = map_area(contract.message.size + 2 * contract.digest.size, "mmap(copy)");
}

/* The length after `bits`, in the order of worker/contract.h. */
static uint64_t step_length(uint64_t bits) {
  static const uint64_t kLongest[] = {8 * (LONGEST_BYTES - 2), 8 * (LONGEST_BYTES - 1),
                                      8 * LONGEST_BYTES};
  if (bits < contract.dense_bits) {
    return bits + 1;
  }
  if (bits <= LAST_BLOCK_EDGE) {
    const uint64_t place = bits % BLOCK_BITS;
    return place == 0 || place == BLOCK_BITS - 1 ? bits + 1
                                                 : (bits / BLOCK_BITS + 1) * BLOCK_BITS - 1;
  }
  for (unsigned i = 0; i < sizeof kLongest / sizeof kLongest[0]; ++i) {
    if (bits < kLongest[i]) {
      return kLongest[i];
    }
  }
  return END_OF_LENGTHS;
}

static size_t bytes_of(uint64_t bits) { return (bits + 7) / 8; }

static uint64_t next_length(uint64_t bits) {
  do {
    bits = step_length(bits);
  } while (bits != END_OF_LENGTHS &&
           (bytes_of(bits) % contract.alignment != 0 || (contract.takes_bytes && bits % 8 != 0)));
  return bits;
}

/* Whole bytes only, for checks that make many calls a length. */
static uint64_t next_byte_length(uint64_t bits) {
  do {
    bits = step_length(bits);
  } while (bits != END_OF_LENGTHS && bits % 8 != 0);
  return bits;
}

static unsigned char unused_mask(uint64_t bits) {
  return bits % 8 == 0 ? 0 : (unsigned char)(0xffu >> (bits % 8));
}

/* Message `number` of this length; the unused low bits of the last byte are 0. Whatever was there
 * before, and wherever it lies, the bytes around it are the same: a hash that reads them is the
 * business of MESSAGE_END alone. */
static void write_message(unsigned char* message, uint64_t bits, uint32_t number) {
  memset(contract.message.begin, AROUND_MESSAGE, contract.message.size);
  const size_t bytes = bytes_of(bits);
  uint32_t state = 0x9e3779b9u * number + (uint32_t)bits + 1u;
  for (size_t i = 0; i < bytes; ++i) {
    state = state * 1664525u + 1013904223u;
    message[i] = (unsigned char)(state >> 24u);
  }
  if (bytes > 0) {
    message[bytes - 1] &= (unsigned char)~unused_mask(bits);
  }
}

static unsigned char* message_base(void) { return contract.message.begin + BASE; }
static unsigned char* digest_base(void) { return contract.digest.begin + BASE; }

static void fill(const struct area* area) { memory_fill(area->begin, area->size); }

/* What the hash returned, with `beside` as HASHPROF_CALL_DETAIL has it. */
static int call(int digest_bits, const unsigned char* message, uint64_t bits, unsigned char* digest,
                uint32_t beside) {
  channel_announce(HASHPROF_STEP_CALL, HASHPROF_CALL_DETAIL(bits, beside));
  ++contract.result->calls;
  return contract.entry(digest_bits, message, bits, digest);
}

/* Whether a plain call succeeded. */
static int hash(const unsigned char* message, uint64_t bits, unsigned char* digest,
                uint32_t beside) {
  return call((int)contract.digest_bits, message, bits, digest, beside) == 0;
}

/* Index of the first difference, or `size`. */
static size_t find_difference(const unsigned char* a, const unsigned char* b, size_t size) {
  size_t i = 0;
  while (i < size && a[i] == b[i]) {
    ++i;
  }
  return i;
}

static void judged(void) { ++contract.result->items_done; }

static void find(uint32_t finding, int64_t number, uint64_t bits, uint32_t beside) {
  judged();
  channel_find(finding, number, HASHPROF_CALL_DETAIL(bits, beside));
}

/* Whether `digest` is what the copy holds; says so if it is not. */
static int is_same(const unsigned char* digest, uint64_t bits, uint32_t beside) {
  const size_t at = find_difference(digest, contract.copy.begin, contract.digest_bytes);
  if (at == contract.digest_bytes) {
    return 1;
  }
  find(HASHPROF_FINDING_OTHER_DIGEST, (int64_t)at, bits, beside);
  return 0;
}

/* The digest of message 1 into the copy, by a plain call; 0 if it failed. The message is written
 * anew, as before any other call: the hash may have changed it. */
static int keep_digest(uint64_t bits) {
  write_message(message_base(), bits, 1);
  fill(&contract.digest);
  if (!hash(message_base(), bits, digest_base(), 0)) {
    return 0;
  }
  memcpy(contract.copy.begin, digest_base(), contract.digest_bytes);
  return 1;
}

static void check_returns(void) {
  for (uint64_t bits = 0; bits != END_OF_LENGTHS; bits = next_length(bits)) {
    write_message(message_base(), bits, 1);
    const int returned = call((int)contract.digest_bits, message_base(), bits, digest_base(), 0);
    if (returned != 0) {
      find(HASHPROF_FINDING_RETURNED, returned, bits, 0);
      return;
    }
    judged();
  }
}

static void check_repeat(void) {
  for (uint64_t bits = 0; bits != END_OF_LENGTHS; bits = next_length(bits)) {
    const uint64_t other_bits = contract.takes_bytes ? bits / 16 * 8 + 8 : bits / 2 + 3;
    const int is_kept = keep_digest(bits);
    write_message(message_base(), other_bits, 2);
    fill(&contract.digest);
    (void)hash(message_base(), other_bits, digest_base(), 0);
    write_message(message_base(), bits, 1);
    fill(&contract.digest);
    if (!hash(message_base(), bits, digest_base(), 0) || !is_kept) {
      continue;
    }
    if (!is_same(digest_base(), bits, 0)) {
      return;
    }
    judged();
  }
}

static void check_input(void) {
  for (uint64_t bits = 0; bits != END_OF_LENGTHS; bits = next_length(bits)) {
    write_message(message_base(), bits, 1);
    memcpy(contract.copy.begin, contract.message.begin, contract.message.size);
    if (!hash(message_base(), bits, digest_base(), 0)) {
      continue;
    }
    const size_t at =
        find_difference(contract.message.begin, contract.copy.begin, contract.message.size);
    if (at != contract.message.size) {
      find(HASHPROF_FINDING_INPUT_CHANGED, (int64_t)at - (int64_t)BASE, bits, 0);
      return;
    }
    judged();
  }
}

static void check_digest_guard(void) {
  const size_t end = BASE + contract.digest_bytes;
  for (uint64_t bits = 0; bits != END_OF_LENGTHS; bits = next_length(bits)) {
    write_message(message_base(), bits, 1);
    fill(&contract.digest);
    memcpy(contract.copy.begin, contract.digest.begin, contract.digest.size);
    if (!hash(message_base(), bits, digest_base(), 0)) {
      continue;
    }
    memcpy(contract.copy.begin + BASE, digest_base(), contract.digest_bytes);
    /* Behind it first: there an overrun is nearest to the digest. */
    size_t at = end + find_difference(contract.digest.begin + end, contract.copy.begin + end,
                                      contract.digest.size - end);
    if (at == contract.digest.size) {
      at = find_difference(contract.digest.begin, contract.copy.begin, contract.digest.size);
    }
    if (at != contract.digest.size) {
      find(HASHPROF_FINDING_WROTE_OUTSIDE, (int64_t)at - (int64_t)BASE, bits, 0);
      return;
    }
    judged();
  }
}

/* Fills the digest's area with the complement of what fill() gives. */
static void fill_inverted(void) {
  fill(&contract.digest);
  for (size_t i = 0; i < contract.digest.size; ++i) {
    contract.digest.begin[i] ^= 0xffu;
  }
}

static void check_digest_whole(void) {
  unsigned char* const untouched = contract.copy.begin + contract.digest.size;
  for (uint64_t bits = 0; bits != END_OF_LENGTHS; bits = next_length(bits)) {
    if (!keep_digest(bits)) {
      continue;
    }
    write_message(message_base(), bits, 1);
    fill_inverted();
    memcpy(untouched, digest_base(), contract.digest_bytes);
    if (!hash(message_base(), bits, digest_base(), 0)) {
      continue;
    }
    const size_t at = find_difference(digest_base(), contract.copy.begin, contract.digest_bytes);
    if (at != contract.digest_bytes) {
      const int is_left = digest_base()[at] == untouched[at] &&
                          contract.copy.begin[at] == (unsigned char)~untouched[at];
      find(is_left ? HASHPROF_FINDING_NOT_WRITTEN : HASHPROF_FINDING_OTHER_DIGEST, (int64_t)at,
           bits, 0);
      return;
    }
    judged();
  }
}

static void check_unused_bits(void) {
  for (uint64_t bits = 1; bits != END_OF_LENGTHS; bits = next_length(bits)) {
    if (bits % 8 == 0) {
      continue;
    }
    if (!keep_digest(bits)) {
      continue;
    }
    write_message(message_base(), bits, 1);
    message_base()[bytes_of(bits) - 1] |= unused_mask(bits);
    fill(&contract.digest);
    if (!hash(message_base(), bits, digest_base(), 0)) {
      continue;
    }
    if (!is_same(digest_base(), bits, 0)) {
      return;
    }
    judged();
  }
}

static void check_message_alignment(void) {
  for (uint64_t bits = 0; bits != END_OF_LENGTHS; bits = next_byte_length(bits)) {
    if (!keep_digest(bits)) {
      continue;
    }
    for (uint32_t offset = 1; offset <= LAST_OFFSET; ++offset) {
      write_message(message_base() + offset, bits, 1);
      fill(&contract.digest);
      if (hash(message_base() + offset, bits, digest_base(), offset) &&
          !is_same(digest_base(), bits, offset)) {
        return;
      }
    }
    judged();
  }
}

static void check_digest_alignment(void) {
  for (uint64_t bits = 0; bits != END_OF_LENGTHS; bits = next_byte_length(bits)) {
    if (!keep_digest(bits)) {
      continue;
    }
    for (uint32_t offset = 1; offset <= LAST_OFFSET; ++offset) {
      write_message(message_base(), bits, 1);
      fill(&contract.digest);
      if (hash(message_base(), bits, digest_base() + offset, offset) &&
          !is_same(digest_base() + offset, bits, offset)) {
        return;
      }
    }
    judged();
  }
}

static void protect(const struct area* area, int protection) {
  if (mprotect(area->begin, area->size, protection) != 0) {
    channel_fail_system("mprotect(message)");
  }
}

static void check_message_end(void) {
  unsigned char* const end = contract.message.begin + contract.message.size;
  for (uint64_t bits = 0; bits != END_OF_LENGTHS; bits = next_length(bits)) {
    unsigned char* const message = end - bytes_of(bits);
    write_message(message, bits, 1);
    protect(&contract.message, PROT_READ);
    if (hash(message, bits, digest_base(), 0)) {
      judged();
    }
    protect(&contract.message, PROT_READ | PROT_WRITE);
  }
}

static void check_digest_end(void) {
  unsigned char* const digest =
      contract.digest.begin + contract.digest.size - contract.digest_bytes;
  for (uint64_t bits = 0; bits != END_OF_LENGTHS; bits = next_length(bits)) {
    write_message(message_base(), bits, 1);
    if (hash(message_base(), bits, digest, 0)) {
      judged();
    }
  }
}

static void check_overlap(void) {
  for (uint64_t bits = 0; bits != END_OF_LENGTHS; bits = next_length(bits)) {
    if (!keep_digest(bits)) {
      continue;
    }
    write_message(message_base(), bits, 1);
    if (!hash(message_base(), bits, message_base(), 0)) {
      continue;
    }
    if (!is_same(message_base(), bits, 0)) {
      return;
    }
    judged();
  }
}

/* Bits up to the last byte that two calls, over a buffer and over its complement, left equal. */
static uint64_t count_written(const unsigned char* first, const unsigned char* second,
                              size_t size) {
  while (size > 0 && first[size - 1] != second[size - 1]) {
    --size;
  }
  return 8 * (uint64_t)size;
}

static void try_digest_length(uint32_t asked) {
  const size_t room = contract.digest.size - BASE;
  write_message(message_base(), ONE_LENGTH, 1);
  fill(&contract.digest);
  int returned = call((int)asked, message_base(), ONE_LENGTH, digest_base(), asked);
  memcpy(contract.copy.begin, digest_base(), room);
  if (returned == 0) {
    write_message(message_base(), ONE_LENGTH, 1);
    fill_inverted();
    returned = call((int)asked, message_base(), ONE_LENGTH, digest_base(), asked);
  }
  if (returned != 0) {
    find(HASHPROF_FINDING_RETURNED, returned, ONE_LENGTH, asked);
    return;
  }
  find(HASHPROF_FINDING_WROTE, (int64_t)count_written(contract.copy.begin, digest_base(), room),
       ONE_LENGTH, asked);
}

static void check_digest_length(void) {
  try_digest_length(contract.digest_bits / 16 * 8);
  try_digest_length(contract.digest_bits + 8);
  try_digest_length(contract.digest_bits * 2);
}

static void check_null_message(void) {
  if (!keep_digest(0)) {
    return;
  }
  fill(&contract.digest);
  const int returned = call((int)contract.digest_bits, NULL, 0, digest_base(), 0);
  if (returned != 0) {
    find(HASHPROF_FINDING_RETURNED, returned, 0, 0);
  } else if (is_same(digest_base(), 0, 0)) {
    find(HASHPROF_FINDING_SAME_DIGEST, 0, 0, 0);
  }
}

void contract_check(struct session* session, struct hashprof_result* result) {
  static void (*const kChecks[])(void) = {
      [HASHPROF_CHECK_RETURNS] = check_returns,
      [HASHPROF_CHECK_REPEAT] = check_repeat,
      [HASHPROF_CHECK_INPUT] = check_input,
      [HASHPROF_CHECK_DIGEST_GUARD] = check_digest_guard,
      [HASHPROF_CHECK_DIGEST_WHOLE] = check_digest_whole,
      [HASHPROF_CHECK_UNUSED_BITS] = check_unused_bits,
      [HASHPROF_CHECK_MESSAGE_ALIGNMENT] = check_message_alignment,
      [HASHPROF_CHECK_DIGEST_ALIGNMENT] = check_digest_alignment,
      [HASHPROF_CHECK_MESSAGE_END] = check_message_end,
      [HASHPROF_CHECK_DIGEST_END] = check_digest_end,
      [HASHPROF_CHECK_OVERLAP] = check_overlap,
      [HASHPROF_CHECK_DIGEST_LENGTH] = check_digest_length,
      [HASHPROF_CHECK_NULL_MESSAGE] = check_null_message,
  };
  contract.entry = session->entry;
  contract.result = result;
  fill(&contract.digest);
  kChecks[session->request->check]();
}
