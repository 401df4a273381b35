// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/settings.h"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <thread>
#include <utility>

#include "halftone/run/pool.h"

namespace halftoned {
namespace {

constexpr char kOutput[] = "halftonedOutput";

// What a job may ask for; nothing if the text is no such number.
std::optional<int> ParseThreads(const std::string& text) {
  int threads = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, threads);
  if (error != std::errc() || stop != end) return std::nullopt;
  if (threads < 1 || threads > Pool::kMaxThreads) return std::nullopt;
  return threads;
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
        config_(config),
        sources_(queue, queue_name, config),
        read_text_(read_text) {}

  Result<Settings> Resolve() {
    ResolveEngine();
    HALFTONED_TRY(ResolveOutput());
    HALFTONED_TRY_ASSIGN(
        settings_.rendering,
        ResolveRendering(sources_, settings_.format == RasterFormat::kPwg,
                         read_text_));
    WarnOfUnknownKeywords();
    settings_.warnings = sources_.warnings();
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
      sources_.WarnOfJob(kOption, "a whole number in 1 … " +
                                      std::to_string(Pool::kMaxThreads));
      return;
    }
    const auto processors =
        std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    settings_.threads = std::min(
        *wanted, settings_.threads > 0 ? settings_.threads : processors);
  }

  // A keyword that is misspelt must not quietly do nothing.
  void WarnOfUnknownKeywords() {
    for (const std::string& keyword : queue_.PpdKeywords("halftoned")) {
      const bool is_setting =
          std::ranges::any_of(kPrintSettings, [&](const PrintSetting& setting) {
            return ::strcasecmp(keyword.c_str(), setting.keyword.data()) == 0;
          });
      if (is_setting || ::strcasecmp(keyword.c_str(), kOutput) == 0) continue;
      sources_.Warn("*" + keyword + " of the PPD file is not known");
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
    if (output != "cups-raster" && output != "pwg-raster") {
      return sources_.InPpd(
          "*halftonedOutput must be cups-raster or pwg-raster, with or without "
          "last");
    }
    if (output == "pwg-raster") settings_.format = RasterFormat::kPwg;
    return ResolveBackSide();
  }

  Result<void> ResolveBackSide() {
    const auto text = queue_.Ppd("cupsBackSide");
    if (!text) {
      // What PPD files said before cupsBackSide.
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
