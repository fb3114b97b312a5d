// SPDX-License-Identifier: MIT
// See elf/static_use.h.
#include "elf/static_use.h"

#include <initializer_list>

namespace hashprof::elf {

namespace {

OwnBytes difference(const char* name, std::uint64_t all, std::uint64_t empty, std::string& reason) {
  if (all >= empty) {
    return all - empty;
  }
  reason += std::string(reason.empty() ? "" : "; ") + "own " + name + " is " +
            std::to_string(empty - all) + " bytes below that of the empty library";
  return std::nullopt;
}

OwnBytes sum(std::initializer_list<OwnBytes> parts) {
  std::uint64_t total = 0;
  for (const OwnBytes& part : parts) {
    if (!part) {
      return std::nullopt;
    }
    total += *part;
  }
  return total;
}

}  // namespace

StaticUse subtract(const Parts& image, const Parts& empty) {
  StaticUse use;
  use.image = difference("image", image.sum(), empty.sum(), use.reason);
  use.text = difference("text", image.text, empty.text, use.reason);
  use.rodata = difference("rodata", image.rodata, empty.rodata, use.reason);
  use.relro = difference("relro", image.relro, empty.relro, use.reason);
  use.data = difference("data", image.data, empty.data, use.reason);
  use.bss = difference("bss", image.bss, empty.bss, use.reason);
  use.rom = sum({use.text, use.rodata, use.relro, use.data});
  use.ram = sum({use.relro, use.data, use.bss});
  return use;
}

StaticUse absent_use(const std::string& reason) {
  StaticUse use;
  use.reason = reason;
  return use;
}

json::Value to_json(const StaticUse& use) {
  return json::Object{{"image", use.image},
                      {"text", use.text},
                      {"rodata", use.rodata},
                      {"relro", use.relro},
                      {"data", use.data},
                      {"bss", use.bss},
                      {"rom", use.rom},
                      {"ram", use.ram},
                      {"reason", use.reason.empty() ? json::Value() : json::Value(use.reason)}};
}

}  // namespace hashprof::elf
