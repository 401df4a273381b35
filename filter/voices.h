// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who has a say in how a job is printed, and what each of them says of a
// setting:
//
//   job  ▸  queue's PPD file  ▸  [queue.NAME]  ▸  [filter]
//
// A job's bad value is a warning and then unsaid: a user cannot see why a page
// does not come. An administrator's bad value is an error that names the file.
// "auto" says nothing: the next one is asked.

#ifndef HALFTONED_FILTER_VOICES_H_
#define HALFTONED_FILTER_VOICES_H_

#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/result.h"
#include "config/config.h"
#include "filter/queue.h"

namespace halftoned {

// What a text may say.
template <typename Value>
struct Kind {
  std::function<std::optional<Value>(const std::string& text)> parse;
  std::string what;  // for messages: "it is not " what
};

// A number in a range; nothing if the text is none.
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

class Voices {
 public:
  // What is passed in outlives it.
  Voices(const Queue& queue, std::string_view queue_name, const Config& config)
      : queue_(queue), config_(config.tone) {
    const auto named = config.queues.find(queue_name);
    if (named != config.queues.end()) queue_config_ = &named->second;
  }

  const Queue& queue() const { return queue_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  void Warn(std::string text) { warnings_.push_back(std::move(text)); }

  // The job's option `name`.
  template <typename Value>
  std::optional<Value> FromJob(const std::string& name,
                               const Kind<Value>& kind) {
    const auto text = queue_.Job(name);
    if (!text || IsAuto(*text)) return std::nullopt;
    const auto value = kind.parse(*text);
    if (!value) Warn(name + " of the job is ignored: it is not " + kind.what);
    return value;
  }

  template <typename Value>
  Result<std::optional<Value>> FromPpd(const std::string& keyword,
                                       const Kind<Value>& kind) const {
    const auto text = queue_.Ppd(keyword);
    if (!text || IsAuto(*text)) return std::optional<Value>();
    const auto value = kind.parse(*text);
    if (value) return value;
    return InPpd("*" + keyword + " is not " + kind.what);
  }

  template <typename Value>
  Result<std::optional<Value>> FromJobOrPpd(const std::string& name,
                                            const std::string& keyword,
                                            const Kind<Value>& kind) {
    if (const auto value = FromJob(name, kind)) return value;
    return FromPpd(keyword, kind);
  }

  // What halftoned.conf says: the queue's table, or the filter's. `find` gives
  // a pointer to a setting of a ToneConfig, null if it is not there.
  template <typename Find>
  auto Configured(const Find& find) const -> decltype(find(ToneConfig())) {
    if (queue_config_) {
      if (const auto* said = find(*queue_config_)) return said;
    }
    return find(config_);
  }
  template <typename Value>
  const Setting<Value>* Configured(
      std::optional<Setting<Value>> ToneConfig::*member) const {
    return Configured([member](const ToneConfig& tone) {
      return tone.*member ? &*(tone.*member) : nullptr;
    });
  }

  // The administrator's mistake, and the file in which it is.
  Error InPpd(const std::string& mistake) const {
    return BadInput(queue_.ppd_path() + ": " + mistake);
  }

 private:
  static bool IsAuto(const std::string& text);

  const Queue& queue_;
  const ToneConfig& config_;
  const ToneConfig* queue_config_ = nullptr;
  std::vector<std::string> warnings_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_VOICES_H_
