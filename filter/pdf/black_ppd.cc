// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/pdf/black_ppd.h"

#include <cstddef>
#include <string_view>

namespace halftoned {
namespace {

constexpr std::string_view kGray = "/cupsColorSpace 18/cupsBitsPerColor 8";
constexpr std::string_view kBlack = "/cupsColorSpace 3/cupsBitsPerColor 1";

}  // namespace

std::string BlackPpd(std::string ppd) {
  size_t at = ppd.find(kGray);
  if (at == ppd.npos) return {};
  for (; at != ppd.npos; at = ppd.find(kGray, at + kBlack.size())) {
    ppd.replace(at, kGray.size(), kBlack);
  }
  return ppd;
}

}  // namespace halftoned
