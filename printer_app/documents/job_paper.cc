// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/job_paper.h"

#include <cstring>

namespace halftoned {
namespace {

constexpr double kInchInPoints = 72;
// The unit of PAPPL's media.
constexpr double kPointsPerUnit = kInchInPoints / 2540;

}  // namespace

SheetPaper PaperOf(const pappl_pr_options_t& options) {
  const cups_page_header2_t& header = options.header;
  const pappl_media_col_t& media = options.media;
  const double dot = kInchInPoints / header.HWResolution[0];
  return {{header.cupsWidth * dot, header.cupsHeight * dot},
          media.left_margin * kPointsPerUnit,
          media.right_margin * kPointsPerUnit,
          media.top_margin * kPointsPerUnit,
          media.bottom_margin * kPointsPerUnit,
          dot,
          std::strstr(media.type, "continuous") != nullptr};
}

PageFit FitOf(const pappl_pr_options_t& options) {
  switch (options.print_scaling) {
    case PAPPL_SCALING_AUTO_FIT:
      return PageFit::kAutoFit;
    case PAPPL_SCALING_FILL:
      return PageFit::kFill;
    case PAPPL_SCALING_FIT:
      return PageFit::kFit;
    case PAPPL_SCALING_NONE:
      return PageFit::kNone;
    default:
      return PageFit::kAuto;
  }
}

std::optional<int> TurnsOf(const pappl_pr_options_t& options) {
  switch (options.orientation_requested) {
    case IPP_ORIENT_PORTRAIT:
      return 0;
    case IPP_ORIENT_LANDSCAPE:
      return 1;
    case IPP_ORIENT_REVERSE_PORTRAIT:
      return 2;
    case IPP_ORIENT_REVERSE_LANDSCAPE:
      return 3;
    default:
      return std::nullopt;
  }
}

}  // namespace halftoned
