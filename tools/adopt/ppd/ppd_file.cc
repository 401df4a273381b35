// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/ppd/ppd_file.h"

#include <unistd.h>

#include <algorithm>

#include "adopt/ppd/memory_file.h"
#include "base/text.h"

// CUPS has deprecated PPD files, but queues with drivers still need them.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace halftoned {
namespace {

std::string NameOf(unsigned colour_space) {
  switch (colour_space) {
    case CUPS_CSPACE_K:
      return "black";
    case CUPS_CSPACE_W:
    case CUPS_CSPACE_SW:
      return "gray";
    default:
      return "color";
  }
}

template <typename Do>
Result<void> ForEachOption(const ppd_group_t& group, const Do& check) {
  for (const ppd_option_t& option :
       std::span(group.options, static_cast<size_t>(group.num_options))) {
    HALFTONED_TRY(check(option));
  }
  for (const ppd_group_t& inner :
       std::span(group.subgroups, static_cast<size_t>(group.num_subgroups))) {
    HALFTONED_TRY(ForEachOption(inner, check));
  }
  return {};
}

}  // namespace

void PpdFile::Closer::operator()(ppd_file_t* ppd) const { ppdClose(ppd); }

Result<PpdFile> PpdFile::Parse(std::string_view text) {
  if (text.size() > kMaxBytes) {
    return BadInput("its PPD file is larger than 1 MiB");
  }
  HALFTONED_TRY_ASSIGN(const Descriptor memory, MemoryFile(text));
  // ppdOpenFd closes its argument.
  ppd_file_t* ppd = ppdOpenFd(::dup(memory.get()));
  if (ppd) return PpdFile(ppd, text.size());
  int line = 0;
  const ppd_status_t status = ppdLastError(&line);
  return BadInput("invalid PPD file" +
                  (line > 0 ? ", line " + std::to_string(line) : "") + ": " +
                  OneLine(ppdErrorString(status)));
}

std::string PpdFile::nick_name() const {
  return ppd_->nickname ? ppd_->nickname : "";
}

bool PpdFile::HasOption(const char* keyword) const {
  return ppdFindOption(ppd_.get(), keyword) != nullptr;
}

size_t PpdFile::ChoicesOf(const char* keyword) const {
  const ppd_option_t* option = ppdFindOption(ppd_.get(), keyword);
  if (!option) return 0;
  const auto count = static_cast<size_t>(option->num_choices);
  return count - (ppdFindCustomOption(ppd_.get(), keyword) ? 1 : 0);
}

bool PpdFile::HasAttribute(const char* keyword) const {
  return ppdFindAttr(ppd_.get(), keyword, nullptr) != nullptr;
}

std::vector<std::string> PpdFile::ValuesOf(const char* keyword) const {
  std::vector<std::string> values;
  for (const ppd_attr_t* found = ppdFindAttr(ppd_.get(), keyword, nullptr);
       found; found = ppdFindNextAttr(ppd_.get(), keyword, nullptr)) {
    values.emplace_back(found->value ? found->value : "");
  }
  return values;
}

std::vector<std::string> PpdFile::FilterLines() const {
  std::vector<std::string> lines = ValuesOf("cupsFilter2");
  if (!lines.empty()) return lines;
  for (const char* line :
       std::span(ppd_->filters, static_cast<size_t>(ppd_->num_filters))) {
    lines.emplace_back(line);
  }
  return lines;
}

bool PpdFile::PrintsThroughUs() const {
  return HasAttribute("halftonedOutput") ||
         std::ranges::any_of(FilterLines(), [](const std::string& line) {
           return line.ends_with("rastertohalftone");
         });
}

std::optional<std::pair<double, double>> PpdFile::DefaultPageSize() {
  ppdMarkDefaults(ppd_.get());
  const ppd_size_t* size = ppdPageSize(ppd_.get(), nullptr);
  if (!size || size->width <= 0 || size->length <= 0) return std::nullopt;
  return std::pair<double, double>(size->width, size->length);
}

Result<void> PpdFile::CheckEffort() const {
  size_t options = 0;
  size_t choices = 0;
  const auto count = [&](const ppd_option_t& option) -> Result<void> {
    ++options;
    choices += static_cast<size_t>(option.num_choices);
    return {};
  };
  for (const ppd_group_t& group :
       std::span(ppd_->groups, static_cast<size_t>(ppd_->num_groups))) {
    HALFTONED_TRY(ForEachOption(group, count));
  }
  if (options > kMaxOptions) {
    return BadInput("its PPD file has " + std::to_string(options) +
                    " options; the limit is " + std::to_string(kMaxOptions));
  }
  if (choices * bytes_ > kMaxBytesOfAllChoices) {
    return BadInput(
        "its PPD file is too large to be checked: " + std::to_string(choices) +
        " choices in " + std::to_string(bytes_) + " bytes");
  }
  return {};
}

bool PpdFile::is_colour() const { return ppd_->color_device != 0; }

bool PpdFile::MayAskFor(const char* keyword, const RasterKind& kind) {
  const ppd_option_t* option = ppdFindOption(ppd_.get(), keyword);
  if (!option) return false;
  const std::span choices(option->choices,
                          static_cast<size_t>(option->num_choices));
  return std::ranges::any_of(choices, [&](const ppd_choice_t& choice) {
    ppdMarkDefaults(ppd_.get());
    ppdMarkOption(ppd_.get(), keyword, choice.choice);
    return CheckMarked(std::span(&kind, 1), keyword).ok();
  });
}

Result<void> PpdFile::CheckAsksFor(std::span<const RasterKind> kinds) {
  HALFTONED_TRY(CheckEffort());
  ppdMarkDefaults(ppd_.get());
  HALFTONED_TRY(CheckMarked(kinds, "it"));
  const auto check = [&](const ppd_option_t& option) -> Result<void> {
    for (const ppd_choice_t& choice :
         std::span(option.choices, static_cast<size_t>(option.num_choices))) {
      // CUPS' name for a value that the job supplies.
      if (std::string_view(choice.choice) == "Custom") continue;
      ppdMarkDefaults(ppd_.get());
      ppdMarkOption(ppd_.get(), option.keyword, choice.choice);
      HALFTONED_TRY(CheckMarked(
          kinds, std::string(option.keyword) + "=" + choice.choice));
    }
    return {};
  };
  for (const ppd_group_t& group :
       std::span(ppd_->groups, static_cast<size_t>(ppd_->num_groups))) {
    HALFTONED_TRY(ForEachOption(group, check));
  }
  return {};
}

Result<void> PpdFile::CheckMarked(std::span<const RasterKind> kinds,
                                  const std::string& choice) {
  cups_page_header2_t header;
  if (cupsRasterInterpretPPD(&header, ppd_.get(), 0, nullptr, nullptr) != 0) {
    const char* why = cupsRasterErrorString();
    return BadInput(choice +
                    " cannot be interpreted: " + OneLine(why ? why : ""));
  }
  const auto has_space = [&](const RasterKind& kind) {
    return header.cupsColorSpace ==
           static_cast<cups_cspace_t>(kind.colour_space);
  };
  const auto is_of = [&](const RasterKind& kind) {
    return has_space(kind) && header.cupsBitsPerColor == kind.bits_per_colour;
  };
  if (std::ranges::any_of(kinds, is_of)) return {};
  if (std::ranges::none_of(kinds, has_space)) {
    return BadInput(choice + " requests " + NameOf(header.cupsColorSpace) +
                    ", not " + NameOf(kinds.front().colour_space));
  }
  return BadInput(
      choice + " requests " + std::to_string(header.cupsBitsPerColor) +
      " bits per color, not " + std::to_string(kinds.front().bits_per_colour));
}

}  // namespace halftoned
