// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUPS says of the queue and of the job: attributes and choices of the
// queue's PPD file, and the job's options. The only file that knows PPD files.

#ifndef HALFTONED_FILTER_QUEUE_H_
#define HALFTONED_FILTER_QUEUE_H_

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "config/name_less.h"

namespace halftoned {

class Queue {
 public:
  using Values = std::map<std::string, std::string, NameLess>;

  // `ppd_path` may be empty: a queue without a PPD file. `options`: the fifth
  // argument of a filter.
  static Result<Queue> Read(const std::string& ppd_path,
                            const std::string& options);

  // For tests: a queue without a file.
  static Queue Of(Values ppd, Values job);

  bool has_ppd() const { return has_ppd_; }
  const std::string& ppd_path() const { return ppd_path_; }

  // An attribute of the PPD file, or its option of that name: what this job
  // chose, or the default.
  std::optional<std::string> Ppd(const std::string& keyword) const;

  // An option of the job.
  std::optional<std::string> Job(const std::string& option) const;

 private:
  bool has_ppd_ = false;
  std::string ppd_path_;
  Values ppd_;
  Values job_;
};

}  // namespace halftoned

#endif  // HALFTONED_FILTER_QUEUE_H_
