// SPDX-License-Identifier: MIT
// A build's result as JSON, and what changed since; see toolchain/toolchain.h.
#include "base/error.h"
#include "base/sha256.h"
#include "toolchain/toolchain.h"

namespace hashprof::toolchain {

namespace {

json::Value text_or_null(const std::string& text) {
  return text.empty() ? json::Value() : json::Value(text);
}

std::string text_of(const json::Value& object, const char* key) {
  const json::Value* const member = object.find(key);
  return member == nullptr ? std::string() : member->as_string();
}

bool is_set(const json::Value& object, const char* key) {
  const json::Value* const member = object.find(key);
  return member != nullptr && member->as_bool();
}

json::Value strings_to_json(const std::vector<std::string>& texts) {
  json::Array array;
  for (const std::string& text : texts) {
    array.emplace_back(text);
  }
  return array;
}

json::Value compiler_to_json(const CompilerIdentity& compiler) {
  return json::Object{{"command", compiler.command},
                      {"path", compiler.path},
                      {"version", compiler.version},
                      {"target", compiler.target},
                      {"cxx_path", text_or_null(compiler.cxx_path)},
                      {"linker", text_or_null(compiler.linker)},
                      {"libc", text_or_null(compiler.libc)},
                      {"sha256", text_or_null(compiler.sha256)}};
}

json::Array files_to_json(const std::vector<InputFile>& files) {
  json::Array array;
  for (const InputFile& file : files) {
    array.emplace_back(json::Object{{"path", file.path}, {"sha256", file.sha256}});
  }
  return array;
}

std::vector<std::string> changed_files(const std::vector<InputFile>& files) {
  std::vector<std::string> changed;
  for (const InputFile& file : files) {
    try {
      if (sha256_of_file(file.path) == file.sha256) {
        continue;
      }
    } catch (const Error&) {
      // A file that is gone or unreadable is one that changed.
    }
    changed.push_back(file.path);
  }
  return changed;
}

json::Value guide_result_to_json(const GuideResult& result) {
  return result.profile.empty()
             ? json::Value()
             : json::Value(json::Object{{"profile", result.profile}, {"reason", result.reason}});
}

json::Value empty_to_json(const std::optional<EmptyLibrary>& empty) {
  if (!empty) {
    return {};
  }
  return json::Object{{"bytes", empty->parts ? json::Value(empty->parts->sum()) : json::Value()},
                      {"reason", text_or_null(empty->reason)},
                      {"parts", empty->parts ? elf::to_json(*empty->parts) : json::Value()}};
}

}  // namespace

json::Value to_json(const BuildResult& result) {
  json::Array commands;
  for (const std::vector<std::string>& command : result.commands) {
    commands.push_back(strings_to_json(command));
  }
  return json::Object{{"label", result.label},
                      {"built", result.is_built},
                      {"reason", text_or_null(result.reason)},
                      {"reused", result.is_reused},
                      {"from_cache", result.is_from_cache},
                      {"interrupted", result.is_interrupted},
                      {"profile", result.profile},
                      {"native", text_or_null(result.native)},
                      {"compiler", compiler_to_json(result.compiler)},
                      {"commands", std::move(commands)},
                      {"inputs", files_to_json(result.inputs)},
                      {"shared_libraries", files_to_json(result.shared_libraries)},
                      {"preprocessed_sha256", text_or_null(result.preprocessed_sha256)},
                      {"has_unseen_inputs", result.has_unseen_inputs},
                      {"library_sha256", text_or_null(result.library_sha256)},
                      {"sizes", result.sizes ? elf::to_json(*result.sizes) : json::Value()},
                      {"layout_sha256", strings_to_json(result.layout_sha256)},
                      {"guide_result", guide_result_to_json(result.guide_result)},
                      {"empty", empty_to_json(result.empty)}};
}

BuildResult build_from_json(const json::Value& value) {
  BuildResult result;
  result.label = value.at("label").as_string();
  result.is_built = value.at("built").as_bool();
  result.reason = text_of(value, "reason");
  result.is_reused = value.at("reused").as_bool();
  result.is_from_cache = is_set(value, "from_cache");
  result.is_interrupted = value.at("interrupted").as_bool();
  result.profile = value.at("profile").as_string();
  const json::Value& compiler = value.at("compiler");
  result.compiler = {compiler.at("command").as_string(), compiler.at("path").as_string(),
                     compiler.at("version").as_string(), compiler.at("target").as_string(),
                     text_of(compiler, "cxx_path"),      text_of(compiler, "linker"),
                     text_of(compiler, "libc"),          text_of(compiler, "sha256")};
  for (const json::Value& command : value.at("commands").as_array()) {
    std::vector<std::string>& list = result.commands.emplace_back();
    for (const json::Value& argument : command.as_array()) {
      list.push_back(argument.as_string());
    }
  }
  for (const json::Value& input : value.at("inputs").as_array()) {
    result.inputs.push_back({input.at("path").as_string(), input.at("sha256").as_string()});
  }
  if (const json::Value* const libraries = value.find("shared_libraries")) {
    for (const json::Value& library : libraries->as_array()) {
      result.shared_libraries.push_back(
          {library.at("path").as_string(), library.at("sha256").as_string()});
    }
  }
  result.native = text_of(value, "native");
  result.preprocessed_sha256 = text_of(value, "preprocessed_sha256");
  result.has_unseen_inputs = is_set(value, "has_unseen_inputs");
  result.library_sha256 = text_of(value, "library_sha256");
  if (const json::Value* const sizes = value.find("sizes")) {
    result.sizes = {sizes->at("text").as_unsigned(), sizes->at("rodata").as_unsigned(),
                    sizes->at("data").as_unsigned(), sizes->at("bss").as_unsigned()};
  }
  if (const json::Value* const layouts = value.find("layout_sha256")) {
    for (const json::Value& sha256 : layouts->as_array()) {
      result.layout_sha256.push_back(sha256.as_string());
    }
  }
  if (const json::Value* const wanted = value.find("guide_result")) {
    result.guide_result = {wanted->at("profile").as_string(), wanted->at("reason").as_string()};
  }
  if (const json::Value* const empty = value.find("empty")) {
    result.empty = EmptyLibrary{{}, text_of(*empty, "reason")};
    if (const json::Value* const parts = empty->find("parts")) {
      result.empty->parts = elf::parts_from_json(*parts);
    }
  }
  return result;
}

elf::StaticUse own_part(const elf::Image& image, const BuildResult& result) {
  if (!image.parts) {
    return elf::absent_use(image.parts_reason);
  }
  if (!result.empty) {
    return elf::absent_use("no empty library was made when this one was built");
  }
  return result.empty->parts ? elf::subtract(*image.parts, *result.empty->parts)
                             : elf::absent_use(result.empty->reason);
}

std::vector<std::string> changed_inputs(const BuildResult& result) {
  return changed_files(result.inputs);
}

std::vector<std::string> changed_libraries(const BuildResult& result) {
  return changed_files(result.shared_libraries);
}

}  // namespace hashprof::toolchain
