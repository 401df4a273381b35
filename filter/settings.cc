// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/settings.h"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "halftone/pool.h"

namespace halftoned {
namespace {

// What a text may say.
template <typename Value>
struct Kind {
  std::optional<Value> (*parse)(const std::string& text);
  const char* what;
};

template <typename Value>
std::optional<Value> ParseNumber(const std::string& text, Value least,
                                 Value most) {
  Value value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  if (!(value >= least && value <= most)) return std::nullopt;
  return value;
}

std::optional<int> ParseLevels(const std::string& text) {
  const auto levels = ParseNumber(text, 2, 16);
  return levels && Levels::IsServed(*levels) ? levels : std::nullopt;
}

std::optional<double> ParseGamma(const std::string& text) {
  return ParseNumber(text, 0.1, 10.0);
}

std::optional<int> ParseThreads(const std::string& text) {
  return ParseNumber(text, 1, Pool::kMaxThreads);
}

std::optional<Algorithm> ParseType(const std::string& text) {
  for (const char* name : {"auto", "floyd-steinberg", "error-diffusion"}) {
    if (::strcasecmp(text.c_str(), name) == 0) {
      return Algorithm::kFloydSteinberg;
    }
  }
  return std::nullopt;
}

constexpr Kind<int> kLevels{ParseLevels, "2, 4, 8 or 16"};
constexpr Kind<double> kGamma{ParseGamma, "a number in 0.1 … 10"};
constexpr Kind<int> kThreads{ParseThreads, "a whole number in 1 … 256"};
constexpr Kind<Algorithm> kType{ParseType, "auto or floyd-steinberg"};

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

// The steps of the resolution, in the order of the table in the header.
class Resolver {
 public:
  Resolver(const Queue& queue, std::string_view queue_name,
           const Config& config, const ReadText& read_text)
      : queue_(queue), config_(config), read_text_(read_text) {
    const auto named = config.queues.find(queue_name);
    if (named != config.queues.end()) queue_config_ = &named->second;
  }

  Result<Settings> Resolve() {
    ResolveEngine();
    HALFTONED_TRY(ResolveOutput());
    HALFTONED_TRY(ResolveRecipe());
    return settings_;
  }

 private:
  void ResolveEngine() {
    settings_.job_engine = queue_.Job("halftone-engine");
    if (config_.engine) settings_.engine = *config_.engine;
    if (config_.threads) settings_.threads = config_.threads->value;
    settings_.machine_threads = config_.machine_threads;
    settings_.use_of_daemon = config_.use_of_daemon;
    settings_.daemon = config_.daemon;
    const auto wanted = FromJob("halftone-threads", kThreads);
    if (!wanted) return;
    const auto processors =
        std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    settings_.threads = std::min(
        *wanted, settings_.threads > 0 ? settings_.threads : processors);
  }

  Result<void> ResolveOutput() {
    std::string output = queue_.Ppd("halftonedOutput").value_or("");
    if (output.empty()) {
      if (!queue_.has_ppd()) return {};
      return InPpd("there is no *halftonedOutput to say what to write");
    }
    constexpr std::string_view kLast = " last";
    if (output.ends_with(kLast)) {
      settings_.is_last = true;
      output.resize(output.size() - kLast.size());
    }
    if (output != "cups-raster" && output != "pwg-raster") {
      return InPpd(
          "*halftonedOutput is none of cups-raster and pwg-raster, with or "
          "without last");
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
      return InPpd(
          "*cupsBackSide is none of Normal, Flipped, Rotated and ManualTumble");
    }
    settings_.back_side = *side;
    return {};
  }

  Result<void> ResolveRecipe() {
    Recipe::Parts parts;
    parts.algorithm = ResolveType();
    HALFTONED_TRY_ASSIGN(parts.levels, ResolveLevels());
    HALFTONED_TRY_ASSIGN(
        const auto gamma,
        FromJobOrPpd("halftone-gamma", kGamma, "halftonedGamma"));
    HALFTONED_TRY_ASSIGN(const ToneCurve by_gamma,
                         ToneCurve::FromGamma(gamma.value_or(
                             Configured(&ToneConfig::gamma, 1.0).value)));
    // The wish for lighter or darker comes first; the curve, which knows the
    // printer, has the last word.
    HALFTONED_TRY_ASSIGN(const ToneCurve of_printer, ReadCurve());
    parts.curve = by_gamma.Then(of_printer);
    HALFTONED_TRY_ASSIGN(settings_.recipe, Recipe::Make(parts));
    return {};
  }

  Result<int> ResolveLevels() {
    const bool is_pwg = settings_.format == RasterFormat::kPwg;
    const auto of_job = FromJob("halftone-levels", kLevels);
    if (of_job && (!is_pwg || *of_job == 2)) return *of_job;
    if (of_job) Warn("halftone-levels of the job is ignored: PWG raster has 2");
    HALFTONED_TRY_ASSIGN(const auto of_ppd,
                         FromPpd("halftonedLevels", kLevels));
    const Setting<int> configured = Configured(&ToneConfig::levels, 2);
    const int levels = of_ppd.value_or(configured.value);
    if (!is_pwg || levels == 2) return levels;
    if (of_ppd) return InPpd("*halftonedLevels is not 2, as PWG raster needs");
    return BadInput(configured.where +
                    ": PWG raster, which this queue writes, needs 2 levels");
  }

  Algorithm ResolveType() {
    if (const auto type = FromJob("halftone-type", kType)) {
      return *type;
    }
    const auto text = queue_.Ppd("cupsHalftoneType");
    const auto type = text ? ParseType(*text) : std::nullopt;
    // Other filters read this keyword too, and know other types.
    if (text && !type) Warn("cupsHalftoneType of the PPD file is not known");
    return type.value_or(Algorithm::kFloydSteinberg);
  }

  Result<ToneCurve> ReadCurve() {
    if (const auto path = queue_.Ppd("halftonedToneCurve")) {
      if (!path->starts_with('/')) {
        return InPpd("*halftonedToneCurve is not an absolute path");
      }
      return ReadCurve({*path, "*halftonedToneCurve in " + queue_.ppd_path()});
    }
    const auto configured = Configured(&ToneConfig::tone_curve, std::string());
    return configured.value.empty() ? ToneCurve() : ReadCurve(configured);
  }

  Result<ToneCurve> ReadCurve(const Setting<std::string>& file) {
    const Result<std::string> text = read_text_(file.value);
    if (!text.ok()) {
      return BadInput(file.where + ": tone curve " + text.error().message);
    }
    Result<ToneCurve> curve = ToneCurve::Parse(*text);
    if (curve.ok()) return curve;
    return BadInput("tone curve " + file.value + ", " + curve.error().message);
  }

  template <typename Value>
  std::optional<Value> FromJob(const std::string& option,
                               const Kind<Value>& kind) {
    const auto text = queue_.Job(option);
    if (!text) return std::nullopt;
    const auto value = kind.parse(*text);
    if (!value) Warn(option + " of the job is ignored: it is not " + kind.what);
    return value;
  }

  template <typename Value>
  Result<std::optional<Value>> FromJobOrPpd(const std::string& option,
                                            const Kind<Value>& kind,
                                            const std::string& keyword) {
    if (const auto value = FromJob(option, kind)) return value;
    return FromPpd(keyword, kind);
  }

  template <typename Value>
  Result<std::optional<Value>> FromPpd(const std::string& keyword,
                                       const Kind<Value>& kind) {
    const auto text = queue_.Ppd(keyword);
    if (!text) return std::optional<Value>();
    const auto value = kind.parse(*text);
    if (value) return value;
    return InPpd("*" + keyword + " is not " + kind.what);
  }

  // What the queue's table says, or the filter's, or neither.
  template <typename Value>
  Setting<Value> Configured(std::optional<Setting<Value>> ToneConfig::*member,
                            std::type_identity_t<Value> otherwise) const {
    if (queue_config_ && queue_config_->*member) {
      return *(queue_config_->*member);
    }
    return (config_.tone.*member).value_or(std::move(otherwise));
  }

  // The administrator's mistake, and the file in which it is.
  Error InPpd(const std::string& mistake) const {
    return BadInput(queue_.ppd_path() + ": " + mistake);
  }

  void Warn(std::string text) { settings_.warnings.push_back(std::move(text)); }

  const Queue& queue_;
  const Config& config_;
  const ToneConfig* queue_config_ = nullptr;
  const ReadText& read_text_;
  Settings settings_;
};

}  // namespace

Result<Settings> ResolveSettings(const Queue& queue,
                                 std::string_view queue_name,
                                 const Config& config,
                                 const ReadText& read_text) {
  return Resolver(queue, queue_name, config, read_text).Resolve();
}

}  // namespace halftoned
