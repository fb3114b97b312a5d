// SPDX-License-Identifier: MIT
// Sections 1, 2, 3 and 5 of the guide: what was measured, on what, whether it is right, and the
// memory of its processes.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/markdown_text.h"
#include "report/page.h"
#include "report/words.h"

namespace hashprof::report {

namespace {

void add_distinct(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) {
    list.push_back(text);
  }
}

/// What section 1 says of one family.
struct FamilyFacts {
  const BuildView* first = nullptr;
  std::vector<std::string> versions;
  std::vector<std::string> parameter_sets;
};

std::vector<FamilyFacts> family_facts(const RunView& run) {
  std::vector<FamilyFacts> families;
  for (const BuildView& build : run.builds) {
    auto at = std::find_if(families.begin(), families.end(), [&build](const FamilyFacts& family) {
      return family.first->family_id == build.family_id;
    });
    if (at == families.end()) {
      at = families.insert(at, FamilyFacts{&build, {}, {}});
    }
    const bool has_class = !build.variant_class.empty() && build.variant_class != build.variant;
    add_distinct(at->versions, escape(build.variant) +
                                   (has_class ? " (" + escape(build.variant_class) + ")" : ""));
    add_distinct(at->parameter_sets,
                 fmt::format("{} ({} bits)", escape(build.instance), build.digest_bits));
  }
  return families;
}

std::string largest(Page& page, const std::vector<std::uint64_t>& kib, const std::string& reason) {
  return kib.empty() ? page.notes.absent(reason)
                     : fmt::format("{} KiB", *std::max_element(kib.begin(), kib.end()));
}

/// Median, whole KiB downwards as the published page rounds memory.
std::string median(Page& page, std::vector<std::uint64_t> kib, const std::string& reason) {
  if (kib.empty()) {
    return page.notes.absent(reason);
  }
  std::sort(kib.begin(), kib.end());
  const std::size_t middle = kib.size() / 2;
  const std::uint64_t value =
      kib.size() % 2 == 1 ? kib[middle] : kib[middle - 1] + (kib[middle] - kib[middle - 1]) / 2;
  return fmt::format("{} KiB", value);
}

std::string kibibytes(Page& page, const std::optional<std::uint64_t>& kib,
                      const std::string& reason) {
  return kib ? fmt::format("{} KiB", *kib) : page.notes.absent(reason);
}

std::string image_text(Page& page, const BuildView& build) {
  return build.image_bytes.has_value() ? fmt::format("{}", *build.image_bytes)
                                       : page.notes.absent(why_no_image(page.run, build));
}

std::vector<std::string> resource_row(Page& page, const BuildView& build, const CellView& cell) {
  const std::string baseline_reason =
      cell.time_ns.summary.has_value() ? "VmRSS was not read" : why_no_time(page.run, build, cell);
  const std::string peak_reason =
      cell.time_ns.summary.has_value() ? "it was not read" : baseline_reason;
  return {row_name(build),
          escape(cell.operation),
          image_text(page, build),
          largest(page, cell.baseline_rss_kib, baseline_reason),
          largest(page, cell.peak_rss_kib, peak_reason),
          median(page, cell.baseline_rss_kib, baseline_reason),
          median(page, cell.peak_rss_kib, peak_reason),
          kibibytes(page, cell.last_anon_kib, peak_reason),
          kibibytes(page, cell.last_file_kib, peak_reason),
          kibibytes(page, cell.last_file_pmd_kib, peak_reason)};
}

void add_contract(Page& page) {
  page.add(
      "What the API promises beside right digests, checked over message lengths with guard pages "
      "around the buffers. A broken promise fails the build; what the API leaves open is reported "
      "and fails nothing. hashprof-kat(1) explains the names.");
  const std::string lines = list_by_text(page.run, contract_text);
  page.add(lines.empty() ? "Nothing was checked." : lines);
}

void add_image(Page& page) {
  Table table = page.make_table({{"instance"},
                                 {"ELF bytes", true},
                                 {"text", true},
                                 {"rodata", true},
                                 {"relro", true},
                                 {"data", true},
                                 {"bss", true},
                                 {"other", true},
                                 {"headers", true},
                                 {"gaps", true},
                                 {"in pages", true}});
  for (const BuildView& build : page.run.builds) {
    std::vector<std::string> row = {row_name(build), image_text(page, build)};
    if (build.image_parts.has_value()) {
      const record::ImageParts& parts = *build.image_parts;
      for (const std::uint64_t bytes : {parts.text, parts.rodata, parts.relro, parts.data,
                                        parts.bss, parts.other, parts.headers, parts.gaps}) {
        row.push_back(fmt::format("{}", bytes));
      }
    } else {
      row.resize(10, page.notes.absent(why_no_parts(page.run, build)));
    }
    row.push_back(build.image_span_bytes.has_value()
                      ? fmt::format("{}", *build.image_span_bytes)
                      : page.notes.absent(why_no_image(page.run, build)));
    page.add_row(table, build, std::move(row));
  }
  page.add_table(table, "Nothing was built.");
  page.add(
      "ELF bytes is the sum of p_memsz over the PT_LOAD segments of the library; the classes from "
      "text to gaps add up to it. relro is writable until relocated; other holds the loader's "
      "tables and notes; gaps is what no section holds. In pages: addresses from the first to the "
      "last page of the image, holes included.");
}

/// Sizes for machines that nothing is run on.
void add_objects(Page& page) {
  if (page.run.objects.empty()) {
    return;
  }
  Table table({{"target"},
               {"instance"},
               {"compiler"},
               {"text", true},
               {"rodata", true},
               {"data", true},
               {"bss", true},
               {"ROM", true},
               {"RAM", true}});
  for (const record::ObjectView& object : page.run.objects) {
    std::vector<std::string> row = {
        escape(object.target), escape(object.label),
        object.compiler.empty() ? page.notes.absent(object.failure) : escape(object.compiler)};
    if (object.failure.empty()) {
      for (const std::uint64_t bytes :
           {object.text, object.rodata, object.data, object.bss,
            object.text + object.rodata + object.data, object.data + object.bss}) {
        row.push_back(fmt::format("{}", bytes));
      }
    } else {
      row.resize(9, page.notes.absent(object.failure));
    }
    table.add(std::move(row));
  }
  page.add("Objects compiled for other machines, in bytes; nothing of them was linked or run.");
  page.add_table(table, "");
  page.add(
      "Sums over the sections of all objects that are loaded: text is executable, rodata "
      "read-only, data writable with contents in the file, bss writable and zero. ROM is text + "
      "rodata + data, RAM data + bss; a linker may drop what is not used and add what it needs.");
}

}  // namespace

void add_basic_information(Page& page) {
  page.add("## 1. Basic information");
  const std::vector<FamilyFacts> families = family_facts(page.run);
  Table table = families.size() == 1 ? Table({{"item"}, {"value"}})
                                     : Table({{"family"},
                                              {"category"},
                                              {"algorithm"},
                                              {"versions measured"},
                                              {"parameter sets"}});
  for (const FamilyFacts& family : families) {
    const std::string category =
        family.first->category.empty()
            ? page.notes.absent("hash.yaml of " + family.first->family_id + " names no category")
            : escape(family.first->category);
    const std::string algorithm = escape(family.first->family_name);
    const std::string versions = text::join(family.versions, ", ");
    const std::string sets = text::join(family.parameter_sets, ", ");
    if (families.size() > 1) {
      table.add({escape(family.first->family_id), category, algorithm, versions, sets});
      continue;
    }
    table.add({"category", category});
    table.add({"algorithm", algorithm});
    table.add({"versions measured", versions});
    table.add({"parameter sets", sets});
  }
  page.add_table(table, "No instance is part of this run.");
  std::string links;
  for (const auto& [label, address] : page.run.links) {
    links += "- " + link(label, address) + "\n";
  }
  if (!links.empty()) {
    page.add(links);
  }
  if (!page.run.report_note.empty()) {
    page.add("Note: " + escape(page.run.report_note));
  }
}

void add_environment(Page& page) {
  page.add("## 2. Assessment environment");
  Table table({{"item"}, {"value"}});
  if (!page.run.system_id.empty()) {
    table.add(
        {"system", escape(page.run.system_id) +
                       (page.run.system_note.empty() ? "" : ": " + escape(page.run.system_note))});
  }
  for (const RunView::EnvironmentItem& item : page.run.environment) {
    table.add({escape(item.item),
               item.value.empty() ? page.notes.absent(item.reason) : escape(item.value)});
  }
  page.add_table(table, "Nothing is known of the machine.");
}

void add_functional_testing(Page& page) {
  page.add("## 3. Functional testing (KAT)");
  page.add(
      "Known answers are computed in processes of their own before anything is timed. A file of "
      "the KAT procedure (2_12, 2_23, 2_33, Loop) passes if the SHA-256 of its canonical text "
      "equals the manifest of the family.");
  Table table = page.make_table(
      {{"instance"}, {"build flags"}, {"compiler"}, {"vector files, manifest"}, {"KAT"}});
  for (const BuildView& build : page.run.builds) {
    const std::string profile =
        escape(build.profile) + (build.wanted_profile.empty()
                                     ? ""
                                     : " in place of " + escape(build.wanted_profile) + " (" +
                                           escape(build.wanted_reason) + ")");
    std::vector<std::string> files;
    files.reserve(build.vector_files.size());
    for (const std::string& file : build.vector_files) {
      files.push_back(escape(file));
    }
    if (!build.kat_manifest.empty()) {
      files.push_back(escape(build.kat_manifest));
    }
    page.add_row(
        table, build,
        {escape(build.label),
         build.build_flags.empty() ? profile : profile + ": " + escape(build.build_flags),
         build.compiler.empty() ? page.notes.absent(why_no_library(page.run, build))
                                : escape(build.compiler),
         files.empty() ? page.notes.absent("hash.yaml names no vector file for this instance")
                       : text::join(files, ", "),
         known_answers(page.run, build)});
  }
  page.add_table(table, "Nothing was tested.");
  add_contract(page);
}

void add_resources(Page& page) {
  page.add("## 5. Resource consumption");
  add_memory(page);
  page.add("### 5.2 Memory of the process");
  Table table = page.make_table({{"instance"},
                                 {"operation"},
                                 {"ELF bytes", true},
                                 {"baseline", true},
                                 {"peak", true},
                                 {"median baseline", true},
                                 {"median peak", true},
                                 {"RssAnon", true},
                                 {"RssFile", true},
                                 {"FilePmdMapped", true}});
  for (const BuildView& build : page.run.builds) {
    for (const CellView& cell : build.cells) {
      page.add_row(table, build, resource_row(page, build, cell));
    }
    if (build.cells.empty()) {
      const std::string none = page.notes.absent(why_no_cells(page.run, build));
      std::vector<std::string> row = {row_name(build), none, image_text(page, build)};
      row.resize(10, none);
      page.add_row(table, build, std::move(row));
    }
  }
  page.add_table(table, "Nothing was measured.");
  page.add(
      "Baseline is VmRSS before the first call, peak is VmHWM after the last, of the largest "
      "process as published and of the median one. Both are of the whole process, worker and libc "
      "included, and so upper-bound proxies. "
      "RssAnon, RssFile and FilePmdMapped are of the process with the largest peak, after its last "
      "call: files that the kernel maps in pieces of 64 KiB or 2 MiB explain a jump of RssFile.");
  page.add("### 5.3 Image of the library");
  add_image(page);
  add_objects(page);
  page.add(
      "Section 6 of the guide (data sizes and rounds) is for public-key algorithms and is "
      "left out.");
}

}  // namespace hashprof::report
