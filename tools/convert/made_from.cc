// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert/made_from.h"

#include <sstream>

#include "print/file/digest.h"

namespace halftoned {
namespace {

void AddRecipe(const Recipe::Parts& parts, std::ostringstream& text) {
  text << "version " << parts.version << " levels " << parts.levels;
  text << " parameters";
  for (const int32_t parameter : parts.parameters) text << ' ' << parameter;
  text << " curve";
  for (const uint16_t step : parts.curve.table()) text << ' ' << step;
}

// The pixels of the page that is halftoned, as far as the input leaves a
// choice.
void AddPixels(const ConvertJob& job, const ConvertSettings& settings,
               std::ostringstream& text) {
  text << " edges " << static_cast<int>(settings.text_edges);
  if (settings.dpi) {
    text << " dpi " << settings.dpi->x << ' ' << settings.dpi->y;
  }
  if (settings.size) {
    text << " size " << settings.size->width.value_or(0) << ' '
         << settings.size->height.value_or(0) << ' '
         << settings.size->is_in_pixels;
  }
  text << " rotate " << settings.rotate << " pages " << job.pages.text();
}

std::string SettingsText(const ConvertJob& job,
                         const ConvertSettings& settings) {
  std::ostringstream text;
  text.precision(17);
  AddRecipe(settings.recipe.parts(), text);
  AddPixels(job, settings, text);
  text << " format " << job.format->name << " bigtiff " << job.options.big_tiff;
  if (job.options.compression) {
    text << " compression " << static_cast<int>(*job.options.compression);
  }
  return text.str();
}

}  // namespace

Result<std::string> MadeFrom(const ConvertJob& job,
                             const ConvertSettings& settings,
                             const InputFile& input) {
  if (!input.is_seekable()) {
    return BadInput("--resume is only for regular files");
  }
  HALFTONED_TRY_ASSIGN(const FileDigest digest, DigestOf(input.fd()));
  return "halftone-type=" + std::string(settings.recipe.name()) +
         "; settings=" + DigestOf(SettingsText(job, settings)) +
         "; input=" + digest.digits;
}

}  // namespace halftoned
