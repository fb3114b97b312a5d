// SPDX-License-Identifier: MIT
// See runner/worker_line.h.
#include "runner/worker_line.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/sys.h"

namespace hashprof::runner {

namespace {

constexpr std::size_t kKeptBytes = 64U << 10U;
constexpr int kReadsATurn = 256;
constexpr int kLastTurns = 64;
constexpr std::size_t kKeptFindings = 16;

/// Only this end: the worker's has a file description of its own.
void make_nonblocking(int fd) {
  if (::fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
    sys::throw_errno(Fault::environment, "fcntl(O_NONBLOCK)", "worker");
  }
}

/// Appends, and cuts to the last kKeptBytes once there are more than `cut_above`.
void keep_tail(Captured& captured, std::string_view bytes, std::size_t cut_above) {
  captured.tail += bytes;
  if (captured.tail.size() > cut_above) {
    const std::size_t excess = captured.tail.size() - kKeptBytes;
    captured.tail.erase(0, excess);
    captured.dropped_bytes += excess;
  }
}

void drain_pipe(UniqueFd& pipe, Captured& captured) {
  std::array<char, 16384> buffer{};
  for (int i = 0; i < kReadsATurn && pipe.is_open(); ++i) {
    const ssize_t count = ::read(pipe.get(), buffer.data(), buffer.size());
    if (count > 0) {
      // Cut rarely: a library may write a gigabyte.
      keep_tail(captured, {buffer.data(), static_cast<std::size_t>(count)}, 4 * kKeptBytes);
      continue;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      pipe.reset();
    }
    return;
  }
}

}  // namespace

WorkerLine::WorkerLine(UniqueFd socket, UniqueFd output, UniqueFd errors, WorkerEnd& end)
    : socket_(std::move(socket)),
      output_(std::move(output)),
      errors_(std::move(errors)),
      end_(end) {
  make_nonblocking(output_.get());
  make_nonblocking(errors_.get());
}

void WorkerLine::send_go() {
  constexpr char kGo = 1;
  while (::send(socket_.get(), &kGo, sizeof kGo, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

void WorkerLine::drain() {
  drain_socket();
  drain_pipe(output_, end_.output);
  drain_pipe(errors_, end_.errors);
}

void WorkerLine::drain_rest() {
  for (int i = 0; i < kLastTurns; ++i) {
    drain();
  }
  keep_tail(end_.output, {}, kKeptBytes);
  keep_tail(end_.errors, {}, kKeptBytes);
}

void WorkerLine::drain_socket() {
  std::array<char, sizeof(hashprof_result) + 1> packet{};
  for (int i = 0; i < kReadsATurn && socket_.is_open(); ++i) {
    const ssize_t size = ::recv(socket_.get(), packet.data(), packet.size(), MSG_DONTWAIT);
    if (size > 0) {
      take(packet.data(), static_cast<std::size_t>(size));
      continue;
    }
    // Said once, before the packets: the other end was closed with the request unread.
    if (size < 0 && errno == ECONNRESET) {
      continue;
    }
    if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
      socket_.reset();
    }
    return;
  }
}

void WorkerLine::take(const char* packet, std::size_t size) {
  if (is_result_next_ && size == sizeof(hashprof_result)) {
    end_.result.emplace();
    std::memcpy(&*end_.result, packet, size);
    is_result_next_ = false;
    return;
  }
  hashprof_event event{};
  if (size != sizeof event) {
    end_.is_garbled = true;
    return;
  }
  std::memcpy(&event, packet, sizeof event);
  event.text[sizeof event.text - 1] = '\0';
  if (event.magic != HASHPROF_PROTOCOL_MAGIC || event.version != HASHPROF_PROTOCOL_VERSION) {
    end_.is_garbled = true;
    return;
  }
  take_event(event);
}

void WorkerLine::take_event(const hashprof_event& event) {
  switch (event.type) {
    case HASHPROF_EVENT_STEP:
      has_started_ = true;
      end_.step = event.step;
      end_.step_detail = event.detail;
      break;
    case HASHPROF_EVENT_ERROR:
      end_.error = event;
      break;
    case HASHPROF_EVENT_FINDING:
      if (end_.findings.size() < kKeptFindings) {
        end_.findings.push_back(event);
      }
      break;
    case HASHPROF_EVENT_RESULT:
      is_result_next_ = true;
      break;
    default:
      end_.is_garbled = true;
  }
}

}  // namespace hashprof::runner
