// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/ppd/queue.h"

#include <cups/cups.h>
#include <cups/ppd.h>

#include <cstring>
#include <utility>

// CUPS has deprecated PPD files, but filters have no other way yet to learn the
// settings of their queue.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace halftoned {
namespace {

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

  std::shared_ptr<ppd_file_t> ppd(ppdOpenFile(ppd_path.c_str()),
                                  [](auto* file) {
                                    if (file) ppdClose(file);
                                  });
  if (!ppd) {
    int line = 0;
    const ppd_status_t status = ppdLastError(&line);
    const std::string where =
        line > 0 ? ppd_path + ", line " + std::to_string(line) : ppd_path;
    return BadInput(where + ": " + ppdErrorString(status));
  }
  ppdMarkDefaults(ppd.get());
  job.Mark(ppd.get());
  queue.has_ppd_ = true;
  queue.ppd_path_ = ppd_path;
  queue.ppd_ = std::move(ppd);
  return queue;
}

Queue Queue::FromValues(Values ppd, Values job, std::string source) {
  Queue queue;
  queue.has_ppd_ = !ppd.empty();
  queue.ppd_path_ = std::move(source);
  queue.ppd_values_ = std::move(ppd);
  queue.job_ = std::move(job);
  return queue;
}

std::optional<std::string> Queue::Ppd(const std::string& keyword) const {
  if (ppd_) return ValueOf(ppd_.get(), keyword.c_str());
  const auto found = ppd_values_.find(keyword);
  if (found == ppd_values_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> Queue::PpdKeywords(std::string_view beginning) const {
  std::vector<std::string> keywords;
  const auto add = [&](std::string_view keyword) {
    if (keyword.starts_with(beginning)) keywords.emplace_back(keyword);
  };
  for (int i = 0; ppd_ && i < ppd_->num_attrs; ++i) add(ppd_->attrs[i]->name);
  for (auto* option = ppd_ ? ppdFirstOption(ppd_.get()) : nullptr; option;
       option = ppdNextOption(ppd_.get())) {
    add(option->keyword);
  }
  for (const auto& [keyword, value] : ppd_values_) add(keyword);
  return keywords;
}

std::optional<PaperSize> Queue::Paper() const {
  const ppd_size_t* size = ppd_ ? ppdPageSize(ppd_.get(), nullptr) : nullptr;
  if (!size || std::strcmp(size->name, "Custom") == 0) return std::nullopt;
  return PaperSize{size->width, size->length};
}

std::optional<std::string> Queue::Job(const std::string& option) const {
  const auto found = job_.find(option);
  if (found == job_.end()) return std::nullopt;
  return found->second;
}

}  // namespace halftoned
