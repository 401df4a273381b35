// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/queue.h"

#include <cups/cups.h>
#include <cups/ppd.h>

#include <memory>
#include <utility>

// CUPS has announced the end of PPD files; filters have no other way yet to
// learn what their queue wants.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace halftoned {
namespace {

// The keywords that this program asks for; a PPD file has hundreds.
constexpr const char* kKeywords[] = {
    "cupsBackSide",        "cupsFlipDuplex",       "cupsHalftoneType",
    "halftonedBlackPoint", "halftonedBrightness",  "halftonedClusterSize",
    "halftonedContrast",   "halftonedDotDiameter", "halftonedDotGain",
    "halftonedGamma",      "halftonedLevels",      "halftonedOutput",
    "halftonedTechnology", "halftonedTextEdges",   "halftonedToneCurve",
    "halftonedTonerSave",
};

struct PpdCloser {
  void operator()(ppd_file_t* ppd) const { ppdClose(ppd); }
};

class JobOptions {
 public:
  explicit JobOptions(const std::string& text)
      : count_(cupsParseOptions(text.c_str(), 0, &options_)) {}
  ~JobOptions() { cupsFreeOptions(count_, options_); }
  JobOptions(const JobOptions&) = delete;
  JobOptions& operator=(const JobOptions&) = delete;

  void Mark(ppd_file_t* ppd) const { cupsMarkOptions(ppd, count_, options_); }

  Queue::Values Values() const {
    Queue::Values values;
    for (int i = 0; i < count_; ++i) {
      values.emplace(options_[i].name, options_[i].value);
    }
    return values;
  }

 private:
  cups_option_t* options_ = nullptr;
  int count_;
};

std::optional<std::string> ValueOf(ppd_file_t* ppd, const char* keyword) {
  if (const ppd_choice_t* choice = ppdFindMarkedChoice(ppd, keyword)) {
    return choice->choice;
  }
  const ppd_attr_t* attribute = ppdFindAttr(ppd, keyword, nullptr);
  if (attribute && attribute->value) return attribute->value;
  return std::nullopt;
}

}  // namespace

Result<Queue> Queue::Read(const std::string& ppd_path,
                          const std::string& options) {
  Queue queue;
  const JobOptions job(options);
  queue.job_ = job.Values();
  if (ppd_path.empty()) return queue;

  const std::unique_ptr<ppd_file_t, PpdCloser> ppd(
      ppdOpenFile(ppd_path.c_str()));
  if (!ppd) {
    int line = 0;
    const ppd_status_t status = ppdLastError(&line);
    return BadInput(ppd_path + ", line " + std::to_string(line) + ": " +
                    ppdErrorString(status));
  }
  ppdMarkDefaults(ppd.get());
  job.Mark(ppd.get());
  queue.has_ppd_ = true;
  queue.ppd_path_ = ppd_path;
  for (const char* keyword : kKeywords) {
    if (const auto value = ValueOf(ppd.get(), keyword)) {
      queue.ppd_.emplace(keyword, *value);
    }
  }
  return queue;
}

Queue Queue::Of(Values ppd, Values job) {
  Queue queue;
  queue.has_ppd_ = !ppd.empty();
  queue.ppd_path_ = "q.ppd";
  queue.ppd_ = std::move(ppd);
  queue.job_ = std::move(job);
  return queue;
}

std::optional<std::string> Queue::Ppd(const std::string& keyword) const {
  const auto found = ppd_.find(keyword);
  if (found == ppd_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string> Queue::Job(const std::string& option) const {
  const auto found = job_.find(option);
  if (found == job_.end()) return std::nullopt;
  return found->second;
}

}  // namespace halftoned
