// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/settings/job_settings.h"

#include <strings.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "halftone/run/pool.h"
#include "print/process/machine.h"

namespace halftoned {
namespace {

constexpr char kOutput[] = "halftonedOutput";
constexpr char kParallelPages[] = "halftonedParallelPages";

struct NamedFormat {
  std::string_view name;
  RasterFormat format;
};
constexpr NamedFormat kFormats[] = {
    {"cups-raster", RasterFormat::kCups},
    {"cups-raster-black", RasterFormat::kCupsBlack},
    {"pwg-raster", RasterFormat::kPwg},
    {"pwg-raster-gray", RasterFormat::kPwgGray},
    {"urf", RasterFormat::kUrf}};

// The number of threads that a job asks for; nothing if it is not valid.
std::optional<int> ParseThreads(const std::string& text) {
  const auto threads = ParseNumber<int>(text);
  return threads >= 1 && threads <= Pool::kMaxThreads ? threads : std::nullopt;
}

// 0: auto; nothing if the text is neither that nor a valid number.
std::optional<int> ParseParallelPages(const std::string& text) {
  if (::strcasecmp(text.c_str(), "auto") == 0) return 0;
  return ParseThreads(text);
}

std::optional<BackSide> ParseBackSide(const std::string& text) {
  struct Name {
    const char* name;
    BackSide side;
  };
  for (const Name& known :
       {Name{"Normal", BackSide::kNormal}, Name{"Flipped", BackSide::kFlipped},
        Name{"Rotated", BackSide::kRotated},
        Name{"ManualTumble", BackSide::kManualTumble}}) {
    if (::strcasecmp(text.c_str(), known.name) == 0) return known.side;
  }
  return std::nullopt;
}

class SettingsResolver {
 public:
  SettingsResolver(const Queue& queue, std::string_view queue_name,
                   const Config& config, const ReadText& read_text)
      : queue_(queue),
        queue_name_(queue_name),
        config_(config),
        sources_(queue, queue_name, config),
        read_text_(read_text) {}

  Result<Settings> Resolve() {
    ResolveEngine();
    HALFTONED_TRY(ResolveParallelPages());
    HALFTONED_TRY(ResolveOutput());
    HALFTONED_TRY_ASSIGN(
        settings_.rendering,
        ResolveRendering(sources_, settings_.format != RasterFormat::kCups,
                         read_text_));
    WarnOfUnknownKeywords();
    settings_.warnings = sources_.warnings();
    settings_.notes = sources_.notes();
    settings_.problems = sources_.problems();
    return settings_;
  }

 private:
  void ResolveEngine() {
    settings_.job_engine = queue_.Job("halftone-engine");
    if (config_.engine) settings_.engine = *config_.engine;
    if (config_.threads) settings_.threads = config_.threads->value;
    settings_.machine_threads = config_.machine_threads;
    settings_.max_page_length = config_.max_page_length;
    settings_.use_of_daemon = config_.use_of_daemon;
    settings_.daemon = config_.daemon;
    ResolveThreads();
  }

  void ResolveThreads() {
    constexpr char kOption[] = "halftone-threads";
    const auto text = sources_.Job(kOption);
    if (!text) return;
    const auto wanted = ParseThreads(*text);
    if (!wanted) {
      sources_.WarnOfJob(kOption, "a whole number from 1 to " +
                                      std::to_string(Pool::kMaxThreads));
      return;
    }
    settings_.threads =
        std::min(*wanted, settings_.threads > 0 ? settings_.threads
                                                : ProcessorsOfMachine());
  }

  Result<void> ResolveParallelPages() {
    constexpr char kOption[] = "parallel-pages";
    settings_.parallel_memory = config_.parallel_memory;
    settings_.paper = queue_.Paper();
    const auto values =
        "auto or a whole number from 1 to " + std::to_string(Pool::kMaxThreads);
    // "auto" of the job is a value: it may ask for more than the queue has.
    if (const auto text = queue_.Job(kOption)) {
      if (const auto pages = ParseParallelPages(*text)) {
        settings_.parallel_pages = *pages;
        return {};
      }
      sources_.WarnOfJob(kOption, values);
    }
    if (const auto text = queue_.Ppd(kParallelPages)) {
      const auto pages = ParseParallelPages(*text);
      if (!pages) {
        return sources_.InPpd(std::string("*") + kParallelPages + " is not " +
                              values);
      }
      settings_.parallel_pages = *pages;
      if (*pages > 0) return {};
    }
    const auto& of_queues = config_.parallel_pages_of_queues;
    const auto named = of_queues.find(queue_name_);
    settings_.parallel_pages =
        named == of_queues.end() ? config_.parallel_pages : named->second;
    return {};
  }

  // A misspelled keyword must not be ignored silently.
  void WarnOfUnknownKeywords() {
    for (const std::string& keyword : queue_.PpdKeywords("halftoned")) {
      const bool is_setting =
          std::ranges::any_of(kPrintSettings, [&](const PrintSetting& setting) {
            return ::strcasecmp(keyword.c_str(), setting.keyword.data()) == 0;
          });
      if (is_setting || ::strcasecmp(keyword.c_str(), kOutput) == 0 ||
          ::strcasecmp(keyword.c_str(), kParallelPages) == 0) {
        continue;
      }
      sources_.Warn("*" + keyword + " in the PPD file is unknown");
    }
  }

  Result<void> ResolveOutput() {
    std::string output = queue_.Ppd(kOutput).value_or("");
    if (output.empty()) {
      if (!queue_.has_ppd()) return {};
      return sources_.InPpd("*halftonedOutput is missing");
    }
    constexpr std::string_view kLast = " last";
    if (output.ends_with(kLast)) {
      settings_.is_last = true;
      output.resize(output.size() - kLast.size());
    }
    const auto* const named = std::ranges::find(
        kFormats, output, [](const auto& known) { return known.name; });
    if (named == std::end(kFormats)) {
      return sources_.InPpd(
          "*halftonedOutput must be cups-raster, cups-raster-black, "
          "pwg-raster, pwg-raster-gray or urf, with or without last");
    }
    settings_.format = named->format;
    HALFTONED_TRY(ResolveBackSide());
    const std::string duplex = queue_.Ppd("Duplex").value_or("");
    settings_.may_turn_backs = settings_.back_side != BackSide::kNormal &&
                               ::strcasecmp(duplex.c_str(), "None") != 0;
    return {};
  }

  Result<void> ResolveBackSide() {
    const auto text = queue_.Ppd("cupsBackSide");
    if (!text) {
      // The keyword of PPD files before cupsBackSide.
      const std::string flip = queue_.Ppd("cupsFlipDuplex").value_or("");
      const bool rotated = ::strcasecmp(flip.c_str(), "true") == 0;
      if (rotated) settings_.back_side = BackSide::kRotated;
      return {};
    }
    const auto side = ParseBackSide(*text);
    if (!side) {
      return sources_.InPpd(
          "*cupsBackSide must be Normal, Flipped, Rotated or ManualTumble");
    }
    settings_.back_side = *side;
    return {};
  }

  const Queue& queue_;
  const std::string_view queue_name_;
  const Config& config_;
  SettingSources sources_;
  const ReadText& read_text_;
  Settings settings_;
};

}  // namespace

Result<Settings> ResolveSettings(const Queue& queue,
                                 std::string_view queue_name,
                                 const Config& config,
                                 const ReadText& read_text) {
  return SettingsResolver(queue, queue_name, config, read_text).Resolve();
}

}  // namespace halftoned
