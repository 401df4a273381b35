// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/ghostscript/foomatic_conf.h"

#include <algorithm>
#include <sstream>

namespace halftoned {

std::string KeyOfOtherGhostscript(const std::string& conf) {
  std::istringstream lines(conf);
  for (std::string line; std::getline(lines, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    std::ranges::replace(line, ':', ' ');
    std::istringstream words(line);
    std::string key;
    std::string value;
    if (!(words >> key >> value)) continue;
    if (key == "execpath" || (key == "gspath" && value != "gs")) return key;
  }
  return "";
}

}  // namespace halftoned
