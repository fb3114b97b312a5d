/* SPDX-License-Identifier: MIT
 * What the worker gives up before it loads a library that it does not trust. */
#ifndef HASHPROF_WORKER_SANDBOX_H
#define HASHPROF_WORKER_SANDBOX_H

#include "worker/protocol.h"

/* With HASHPROF_FLAG_DROP_UID: empties the bounding and ambient sets, the groups and all
 * capabilities, and takes the request's gid and uid. Then, because a change of uid clears both:
 * dumpable (else /proc/self is root's) and the parent-death signal; at last no_new_privs. Each is
 * verified; what cannot be done ends the process with an ERROR event. */
void enter_sandbox(const struct hashprof_request* request);

#endif
