/* SPDX-License-Identifier: MIT
 * See worker/channel.h. */
#include "worker/channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct hashprof_event event;

static void send_packet(const void* packet, size_t size) {
  ssize_t sent = 0;
  do {
    sent = send(HASHPROF_FD_PROTOCOL, packet, size, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent != (ssize_t)size) {
    _exit(HASHPROF_EXIT_MUTE);
  }
}

static void send_event(uint16_t type) {
  event.magic = HASHPROF_PROTOCOL_MAGIC;
  event.version = HASHPROF_PROTOCOL_VERSION;
  event.type = type;
  send_packet(&event, sizeof event);
}

void channel_announce(uint32_t step, uint64_t detail) {
  event.step = step;
  event.detail = detail;
  send_event(HASHPROF_EVENT_STEP);
}

void channel_find(uint32_t finding, int64_t number, uint64_t detail) {
  event.error = finding;
  event.number = number;
  event.detail = detail;
  send_event(HASHPROF_EVENT_FINDING);
  event.error = HASHPROF_ERROR_NONE;
  event.number = 0;
}

void channel_fail(uint32_t error, int64_t number, uint64_t detail, const char* text) {
  event.error = error;
  event.number = number;
  event.detail = detail;
  const size_t length = strnlen(text, sizeof event.text - 1);
  memcpy(event.text, text, length);
  event.text[length] = '\0';
  send_event(HASHPROF_EVENT_ERROR);
  _exit(HASHPROF_EXIT_FAILED);
}

void channel_fail_system(const char* call) { channel_fail(HASHPROF_ERROR_SYSTEM, errno, 0, call); }

void channel_finish(const struct hashprof_result* result) {
  channel_announce(HASHPROF_STEP_DONE, 0);
  send_event(HASHPROF_EVENT_RESULT);
  send_packet(result, sizeof *result);
  _exit(HASHPROF_EXIT_DONE);
}

void channel_wait(void) {
  char packet = 0;
  ssize_t size = 0;
  do {
    size = recv(HASHPROF_FD_PROTOCOL, &packet, sizeof packet, 0);
  } while (size < 0 && errno == EINTR);
  if (size < 0) {
    channel_fail_system("recv(go)");
  }
  if (size == 0) {
    _exit(HASHPROF_EXIT_MUTE);
  }
}

void channel_receive(struct hashprof_request* request) {
  ssize_t size = 0;
  do {
    size = recv(HASHPROF_FD_PROTOCOL, request, sizeof *request, MSG_TRUNC);
  } while (size < 0 && errno == EINTR);
  if (size < 0) {
    channel_fail_system("recv(request)");
  }
  if (size == 0) {
    _exit(HASHPROF_EXIT_MUTE);
  }
  if (size != (ssize_t)sizeof *request || request->magic != HASHPROF_PROTOCOL_MAGIC ||
      request->version != HASHPROF_PROTOCOL_VERSION || request->size != sizeof *request) {
    channel_fail(HASHPROF_ERROR_PROTOCOL, size, 0,
                 "the request is not of this worker's protocol version");
  }
  if (request->kind != HASHPROF_KIND_KAT && request->kind != HASHPROF_KIND_CALIBRATE &&
      request->kind != HASHPROF_KIND_TRIAL && request->kind != HASHPROF_KIND_CONTRACT &&
      request->kind != HASHPROF_KIND_PERCALL && request->kind != HASHPROF_KIND_MEMORY &&
      request->kind != HASHPROF_KIND_STACK && request->kind != HASHPROF_KIND_DEPTH) {
    channel_fail(HASHPROF_ERROR_PROTOCOL, request->kind, 0, "unknown kind of request");
  }
  if ((request->flags & HASHPROF_FLAG_LATENCY) && request->message_bits < 8) {
    channel_fail(HASHPROF_ERROR_PROTOCOL, 0, 0, "latency of a message without a first byte");
  }
  if (memchr(request->entry, '\0', sizeof request->entry) == NULL) {
    channel_fail(HASHPROF_ERROR_PROTOCOL, 0, 0, "the entry's name is not ended");
  }
}
