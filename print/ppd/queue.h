// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPS' information on the queue and the job: attributes and choices of the
// queue's PPD file, and the job's options. Only this file and
// filter/pdf/raster_words.h know PPD files.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/name_less.h"

struct ppd_file_s;

namespace halftoned {

// In points.
struct PaperSize {
  double width;
  double length;
};

class Queue {
 public:
  using Values = std::map<std::string, std::string, NameLess>;

  // `ppd_path` may be empty: a queue without a PPD file. `options`: the fifth
  // argument of a filter.
  static Result<Queue> Read(const std::string& ppd_path,
                            const std::string& options);

  // A printer without a PPD file: the attributes that its file would have, and
  // the job's options. `source` names the printer in errors.
  static Queue FromValues(Values ppd, Values job, std::string source);

  bool has_ppd() const { return has_ppd_; }
  const std::string& ppd_path() const { return ppd_path_; }
  // With the job's choices marked; null if there is no file.
  ppd_file_s* ppd() const { return ppd_.get(); }

  // The job's choice of the PPD file's option with that name, or that option's
  // default; if there is no such option, the attribute with that name.
  std::optional<std::string> Ppd(const std::string& keyword) const;

  // The PPD file's attributes and options that begin with `beginning`.
  std::vector<std::string> PpdKeywords(std::string_view beginning) const;

  // The job's paper; nothing if there is no PPD file, or the file does not list
  // its size.
  std::optional<PaperSize> Paper() const;

  // An option of the job.
  std::optional<std::string> Job(const std::string& option) const;

 private:
  bool has_ppd_ = false;
  std::string ppd_path_;
  std::shared_ptr<ppd_file_s> ppd_;
  Values ppd_values_;  // instead of a file
  Values job_;
};

}  // namespace halftoned
