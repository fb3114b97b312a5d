/* SPDX-License-Identifier: MIT
 * See worker/sandbox.h. */
#include "worker/sandbox.h"

#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker/channel.h"

static void require(int is_true, const char* what) {
  if (!is_true) {
    channel_fail(HASHPROF_ERROR_SYSTEM, 0, 0, what);
  }
}

static void empty_bounding_set(void) {
  for (unsigned long capability = 0;; ++capability) {
    const int state = prctl(PR_CAPBSET_READ, capability, 0, 0, 0);
    if (state < 0) {
      return; /* past the last capability of this kernel */
    }
    if (state > 0 && prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) {
      channel_fail_system("prctl(PR_CAPBSET_DROP)");
    }
    require(prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 0, "the bounding set is not empty");
  }
}

static void drop_capabilities(void) {
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) {
    channel_fail_system("prctl(PR_CAP_AMBIENT_CLEAR_ALL)");
  }
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  memset(sets, 0, sizeof sets);
  if (syscall(SYS_capset, &header, sets) != 0) {
    channel_fail_system("capset");
  }
  header.version = _LINUX_CAPABILITY_VERSION_3;
  if (syscall(SYS_capget, &header, sets) != 0) {
    channel_fail_system("capget");
  }
  for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; ++i) {
    require((sets[i].effective | sets[i].permitted | sets[i].inheritable) == 0,
            "capabilities are left after the change of uid");
  }
}

static void drop_identity(uid_t uid, gid_t gid) {
  empty_bounding_set();
  if (setgroups(0, NULL) != 0) {
    channel_fail_system("setgroups");
  }
  if (setresgid(gid, gid, gid) != 0) {
    channel_fail_system("setresgid");
  }
  if (setresuid(uid, uid, uid) != 0) {
    channel_fail_system("setresuid");
  }
  uid_t uids[3] = {0, 0, 0};
  gid_t gids[3] = {0, 0, 0};
  if (getresuid(&uids[0], &uids[1], &uids[2]) != 0 ||
      getresgid(&gids[0], &gids[1], &gids[2]) != 0) {
    channel_fail_system("getresuid");
  }
  for (unsigned i = 0; i < 3; ++i) {
    require(uids[i] == uid && gids[i] == gid, "uid and gid did not change");
  }
  require(getgroups(0, NULL) == 0, "supplementary groups are left");
}

void enter_sandbox(const struct hashprof_request* request) {
  if (request->flags & HASHPROF_FLAG_DROP_UID) {
    drop_identity(request->uid, request->gid);
  }
  if (request->flags & HASHPROF_FLAG_DROP_CAPS) {
    drop_capabilities();
  }
  if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) {
    channel_fail_system("prctl(PR_SET_DUMPABLE)");
  }
  require(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1, "the process is not dumpable");
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) {
    channel_fail_system("prctl(PR_SET_PDEATHSIG)");
  }
  int death_signal = 0;
  require(prctl(PR_GET_PDEATHSIG, &death_signal, 0, 0, 0) == 0 && death_signal == SIGKILL,
          "the parent-death signal is not set");
  /* A parent that died before the signal was set would never send it. */
  require(getppid() == (pid_t)request->parent_pid, "the parent is gone");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    channel_fail_system("prctl(PR_SET_NO_NEW_PRIVS)");
  }
  require(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1, "no_new_privs is not set");
}
