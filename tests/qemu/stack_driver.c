/* SPDX-License-Identifier: MIT
 * Speaks the worker's protocol in the emulated machine, which has no test framework.
 * usage: stack_driver WORKER STACK_BYTES (depth | LIBRARY...)
 * A line a library: its path and the bytes of stack of one call of 64 bytes, or how it failed; or a
 * line a function of the C library and its depth. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/depth.h"
#include "worker/protocol.h"

#define AREA_BYTES 4096
#define DIGEST_BITS 256
#define MESSAGE_BITS 512
#define FIRST_FREE_FD 16

static void require(int is_true, const char* what) {
  if (!is_true) {
    perror(what);
    exit(2);
  }
}

/* Shared memory that a worker inherits, at a number beside those of the protocol. */
static unsigned char* map_area(int* fd) {
  const int low = memfd_create("area", 0);
  require(low >= 0 && ftruncate(low, AREA_BYTES) == 0, "memfd_create");
  *fd = fcntl(low, F_DUPFD, FIRST_FREE_FD);
  require(*fd >= 0, "fcntl");
  close(low);
  void* const area = mmap(NULL, AREA_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
  require(area != MAP_FAILED, "mmap");
  return area;
}

struct worker {
  const char* program;
  uint64_t stack_bytes;
  int message_fd;
  int report_fd;
  struct hashprof_stack_item* report;
};

static void move_to(int fd, int place) { require(dup2(fd, place) == place, "dup2"); }

_Noreturn static void become_worker(const struct worker* worker, int library_fd, int socket) {
  move_to(socket, HASHPROF_FD_PROTOCOL);
  move_to(library_fd, HASHPROF_FD_LIBRARY);
  move_to(worker->message_fd, HASHPROF_FD_MESSAGE);
  move_to(worker->report_fd, HASHPROF_FD_DIGEST);
  execl(worker->program, worker->program, (char*)NULL);
  _exit(127);
}

static struct hashprof_request make_request(const struct worker* worker, uint32_t kind) {
  struct hashprof_request request;
  memset(&request, 0, sizeof request);
  request.magic = HASHPROF_PROTOCOL_MAGIC;
  request.version = HASHPROF_PROTOCOL_VERSION;
  request.size = sizeof request;
  request.kind = kind;
  request.flags = HASHPROF_FLAG_DROP_CAPS;
  request.parent_pid = (uint32_t)getpid();
  request.digest_bits = DIGEST_BITS;
  request.message_map_bytes = AREA_BYTES;
  request.digest_map_bytes = AREA_BYTES;
  request.report_map_bytes = AREA_BYTES;
  request.stack_bytes = worker->stack_bytes;
  request.items = kind == HASHPROF_KIND_DEPTH ? HASHPROF_DEPTH_FUNCTIONS : 1;
  memcpy(request.entry, "CryptHash", sizeof "CryptHash");
  return request;
}

/* Writes to `fault` why the worker gave no result; leaves it empty if it gave one. */
static void run_worker(const struct worker* worker, uint32_t kind, const char* library, char* fault,
                       size_t size) {
  const int low = open(library, O_RDONLY);
  const int library_fd = low < 0 ? -1 : fcntl(low, F_DUPFD, FIRST_FREE_FD);
  require(library_fd >= 0, library);
  close(low);
  int ends[2];
  require(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0, "socketpair");
  const struct hashprof_request request = make_request(worker, kind);
  require(send(ends[0], &request, sizeof request, 0) == (ssize_t)sizeof request, "send");
  const pid_t pid = fork();
  require(pid >= 0, "fork");
  if (pid == 0) {
    const int socket = fcntl(ends[1], F_DUPFD, FIRST_FREE_FD);
    close(ends[0]);
    close(ends[1]);
    become_worker(worker, library_fd, socket);
  }
  close(ends[1]);
  close(library_fd);
  struct hashprof_event event;
  fault[0] = '\0';
  int has_result = 0;
  for (;;) {
    const ssize_t got = recv(ends[0], &event, sizeof event, 0);
    if (got <= 0) {
      break;
    }
    if (got == (ssize_t)sizeof event && event.magic == HASHPROF_PROTOCOL_MAGIC) {
      has_result = has_result || event.type == HASHPROF_EVENT_RESULT;
      if (event.type == HASHPROF_EVENT_ERROR && event.error == HASHPROF_ERROR_STACK) {
        snprintf(fault, size, "stack > %lld bytes", (long long)event.number);
      } else if (event.type == HASHPROF_EVENT_ERROR) {
        snprintf(fault, size, "error %u, number %lld: %s", event.error, (long long)event.number,
                 event.text);
      }
    }
  }
  close(ends[0]);
  int status = 0;
  require(waitpid(pid, &status, 0) == pid, "waitpid");
  if (WIFSIGNALED(status)) {
    snprintf(fault, size, "signal %d", WTERMSIG(status));
  } else if (fault[0] == '\0' && (WEXITSTATUS(status) != 0 || !has_result)) {
    snprintf(fault, size, "exited with status %d", WEXITSTATUS(status));
  }
}

static void print_stack(const struct worker* worker, const char* library) {
  char fault[HASHPROF_TEXT_BYTES];
  memset(worker->report, 0, AREA_BYTES);
  run_worker(worker, HASHPROF_KIND_STACK, library, fault, sizeof fault);
  if (fault[0] != '\0' || worker->report->is_measured == 0) {
    printf("%s %s\n", library, fault[0] != '\0' ? fault : "not measured");
    return;
  }
  printf("%s %llu\n", library, (unsigned long long)worker->report->bytes);
}

static int print_depths(const struct worker* worker) {
  char fault[HASHPROF_TEXT_BYTES];
  run_worker(worker, HASHPROF_KIND_DEPTH, worker->program, fault, sizeof fault);
  if (fault[0] != '\0') {
    fprintf(stderr, "depth: %s\n", fault);
    return 1;
  }
  for (size_t i = 0; i < HASHPROF_DEPTH_FUNCTIONS; ++i) {
    if (worker->report[i].is_measured != 0) {
      printf("%s %llu\n", hashprof_depth_functions[i], (unsigned long long)worker->report[i].bytes);
    }
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: stack_driver WORKER STACK_BYTES (depth | LIBRARY...)\n");
    return 2;
  }
  struct worker worker = {argv[1], strtoull(argv[2], NULL, 10), -1, -1, NULL};
  unsigned char* const message = map_area(&worker.message_fd);
  worker.report = (struct hashprof_stack_item*)map_area(&worker.report_fd);
  const struct hashprof_item item = {MESSAGE_BITS, AREA_BYTES / 2, 0, 0, DIGEST_BITS, 0};
  memcpy(message, &item, sizeof item);
  if (strcmp(argv[3], "depth") == 0) {
    return print_depths(&worker);
  }
  for (int i = 3; i < argc; ++i) {
    print_stack(&worker, argv[i]);
  }
  return 0;
}
