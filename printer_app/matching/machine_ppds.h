// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PPD files that CUPS has on this machine, in files and from programs, as
// `lpinfo -m` lists them.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/temporary_folder.h"

namespace halftoned {

class MachinePpds {
 public:
  static Result<MachinePpds> Make();

  // The names of those that may be for the printer, best first; none where
  // there is no CUPS.
  Result<std::vector<std::string>> For(const std::string& device_id) const;

  // Has `halftone adopt` adopt it. The path of what it makes, which is removed
  // with this.
  Result<std::string> Adopt(const std::string& name) const;

 private:
  explicit MachinePpds(TemporaryFolder folder) : folder_(std::move(folder)) {}
  Result<std::string> Run(std::vector<std::string> words,
                          const std::string& file) const;
  std::string At(const char* file) const { return folder_.path() + "/" + file; }

  TemporaryFolder folder_;
};

}  // namespace halftoned
