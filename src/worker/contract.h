/* SPDX-License-Identifier: MIT
 * What the API of a submission promises, checked one promise a process. Each check sweeps message
 * lengths: every bit length from 0 to the request's message_bits, then the edges of 512-bit blocks
 * up to 4096 bits, then 4096 bytes with one less and one more. The messages are the worker's own
 * and do not depend on anything outside.
 *
 *   RETURNS            the call returns 0
 *   REPEAT             A, B, A: the two digests of A are equal
 *   INPUT              the message and all memory around it are as before
 *   DIGEST_GUARD       nothing is written beside the digest
 *   DIGEST_WHOLE       whatever the buffer held, the digest is the same: each byte of it is written
 *   UNUSED_BITS        the low bits of a partial last byte change nothing
 *   MESSAGE_ALIGNMENT  the same digest with the message at offsets 1 to 15 from 64-byte alignment
 *   DIGEST_ALIGNMENT   likewise with the digest
 *   MESSAGE_END        no fault with a read-only message that ends where no memory follows
 *   DIGEST_END         no fault with a digest that ends where no memory follows
 *   OVERLAP            the same digest with the digest written over the message
 *   DIGEST_LENGTH      what half, one byte more, and twice the digest length give
 *   NULL_MESSAGE       what a null pointer with length 0 gives
 *
 * A check ends at the first length where its promise is broken, with a FINDING event; the last two
 * send one for each thing they tried. A length at which the hash returns non-zero is passed over by
 * all checks but RETURNS, DIGEST_LENGTH and NULL_MESSAGE. */
#ifndef HASHPROF_WORKER_CONTRACT_H
#define HASHPROF_WORKER_CONTRACT_H

#include "worker/measure.h"
#include "worker/protocol.h"

/* Maps the areas of a check, before anything of the library is in the process. Ends the process
 * with an ERROR event on failure, or if there is no such check. */
void contract_map(const struct hashprof_request* request);

/* Carries the check out. `result` gets the calls, and the lengths that were judged in items_done.
 */
void contract_check(struct session* session, struct hashprof_result* result);

#endif
