// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert/jobs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "print/file/input_file.h"
#include "print/file/output_place.h"

namespace halftoned {
namespace {

bool IsFolder(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

Error NotAFolder(const std::string& path) {
  struct stat status;
  const bool is_there = ::stat(path.c_str(), &status) == 0;
  return BadInput(
      path + (is_there
                  ? ": is not a directory"
                  : ": no such directory; to create it, end its name with /"));
}

// Extensions of inputs, in addition to those of outputs.
constexpr std::string_view kInputExtensions[] = {"ppm", "jpg", "jpeg",
                                                 "pdf", "ps",  "eps"};

// Returns DIR/name.tif for a/name.png.
std::string NameInFolder(std::string folder, std::string_view input,
                         std::string_view extension) {
  input = input.substr(input.rfind('/') + 1);
  const std::string_view old = ExtensionOf(input);
  const auto is_old = [&](std::string_view name) {
    return LowerCase(old) == name;
  };
  if (FormatCalled(old) || std::ranges::any_of(kInputExtensions, is_old)) {
    input.remove_suffix(old.size() + 1);
  }
  if (!folder.ends_with('/')) folder += '/';
  folder += input;
  folder += '.';
  return folder += extension;
}

// Inputs and outputs by name.
using Pairs = std::vector<std::pair<std::string, std::string>>;

Result<Pairs> PairsOf(const ConvertOptions& options) {
  std::vector<std::string> inputs = options.files;
  std::string output = options.output;
  if (std::ranges::count(inputs, "") > 0) {
    return BadInput("the name of a file must not be empty");
  }
  if (inputs.empty() || (output.empty() && inputs.size() != 2)) {
    const std::string given =
        inputs.size() > 2 ? std::to_string(inputs.size()) + " files given; "
                          : "";
    return BadInput(given +
                    "give an input and an output, or inputs and --output");
  }
  if (output.empty()) {
    output = inputs.back();
    inputs.pop_back();
  }
  if (!IsFolder(output) && FolderToMake(options).empty()) {
    const bool to_folder = inputs.size() > 1 || output.ends_with('/');
    if (to_folder) return NotAFolder(output);
    return Pairs{{inputs[0], output}};
  }
  Pairs pairs;
  const OutputFormat* format = options.format.empty()
                                   ? &OutputFormats().front()
                                   : FormatCalled(options.format);
  for (const std::string& input : inputs) {
    if (input == "-") {
      return BadInput("standard input has no name for a file in a directory");
    }
    pairs.emplace_back(input,
                       NameInFolder(output, input, format->extensions.front()));
  }
  return pairs;
}

std::optional<FileIdentity> IdentityOf(const std::string& path, int standard) {
  return path == "-" ? FileIdentity::Look(standard) : FileIdentity::Look(path);
}

// The canonical name of the file that `output` refers to; `output` itself if
// its directory cannot be found.
std::string PlaceOf(const std::string& output) {
  const auto place = OutputPlace::Find(output);
  struct stat folder;
  if (!place.ok() || ::fstat(place->folder->get(), &folder) != 0) return output;
  return std::to_string(folder.st_dev) + ':' + std::to_string(folder.st_ino) +
         '/' + place->name;
}

Result<void> CheckPairs(const Pairs& pairs) {
  // By the canonical name of the output.
  std::map<std::string, std::string> inputs;
  for (const auto& [input, output] : pairs) {
    const auto [other, is_new] = inputs.emplace(PlaceOf(output), input);
    if (!is_new && other->second == input) {
      return BadInput(input + ": is given twice");
    }
    if (!is_new) {
      return BadInput(other->second + " and " + input +
                      " would both be written to " + output);
    }
  }
  std::set<std::pair<dev_t, ino_t>> identities;
  for (const auto& [input, output] : pairs) {
    const auto identity = IdentityOf(input, STDIN_FILENO);
    if (identity) identities.emplace(identity->device, identity->inode);
  }
  for (const auto& [input, output] : pairs) {
    const auto identity = IdentityOf(output, STDOUT_FILENO);
    if (identity && identities.count({identity->device, identity->inode})) {
      return BadInput(output + ": is also an input; refusing to overwrite it");
    }
  }
  return {};
}

// ".tif, .png or --format": formats for this number of levels.
std::string FormatsFor(int levels) {
  std::vector<std::string> ways;
  for (const OutputFormat& format : OutputFormats()) {
    if (!format.Holds(levels)) continue;
    ways.emplace_back(".").append(format.extensions.front());
  }
  ways.emplace_back("--format");
  return Listed({ways.begin(), ways.end()});
}

Result<const OutputFormat*> FormatOf(const std::string& output,
                                     const ConvertOptions& options) {
  const int levels = options.look.levels;
  std::string_view name = options.format;
  if (name.empty()) name = output == "-" ? "pnm" : ExtensionOf(output);
  const OutputFormat* format = FormatCalled(name);
  if (!format) {
    return BadInput("cannot tell the format from '" + output + "'; use " +
                    FormatsFor(levels));
  }
  if (!format->Holds(levels)) {
    return BadInput(output + ": " + std::string(format->name) +
                    " does not support " + std::to_string(levels) +
                    " levels; use " + FormatsFor(levels));
  }
  return format;
}

constexpr std::pair<std::string_view, Compression> kCompressions[] = {
    {"none", Compression::kNone},       {"packbits", Compression::kPackBits},
    {"deflate", Compression::kDeflate}, {"lzw", Compression::kLzw},
    {"g4", Compression::kG4},
};

Result<OutputOptions> OutputOptionsOf(const ConvertOptions& options,
                                      const std::string& output,
                                      const OutputFormat& format) {
  if (!format.is_tiff() && options.big_tiff) {
    return BadInput(output + ": --bigtiff is only for TIFF");
  }
  OutputOptions made{{}, options.big_tiff};
  std::vector<std::string_view> taken;
  for (const auto& [name, compression] : kCompressions) {
    if (format.Takes(compression)) taken.push_back(name);
    if (name == options.compression) made.compression = compression;
  }
  if (!made.compression) return made;
  if (made.compression == Compression::kG4 && options.look.levels > 2) {
    return BadInput("--compression g4 is only for two levels");
  }
  if (format.Takes(*made.compression)) return made;
  return BadInput(
      output + ": " + std::string(format.name) + " takes " +
      (taken.empty() ? "no --compression" : "--compression " + Listed(taken)));
}

Result<void> CheckSizes(const ConvertOptions& options) {
  const bool has_both =
      options.size && options.size->width && options.size->height;
  if (options.scaling && !has_both) {
    return BadInput(
        "--scaling needs a width and a height; add --size, such as --size "
        "800x480px");
  }
  if (!options.size || options.size->is_in_pixels || options.dpi) return {};
  return BadInput(
      "--size in mm, cm or inches needs the resolution of the device; add "
      "--dpi, such as --dpi 600");
}

Result<void> CheckScreen(const Look& look) {
  const bool has_screen = look.algorithm == Algorithm::kScreen;
  if (has_screen || look.screen_lpi == 0) return {};
  return BadInput("--screen-lpi is only for --halftone-type screen");
}

// A list with the name of an image would replace the image.
Result<void> CheckManifest(const std::string& manifest, const Pairs& pairs) {
  if (manifest.empty()) return {};
  const std::string place = PlaceOf(manifest);
  const auto identity = FileIdentity::Look(manifest);
  for (const auto& [input, output] : pairs) {
    if (place == PlaceOf(output)) {
      return BadInput(manifest + ": is also an output");
    }
    if (identity && identity == IdentityOf(input, STDIN_FILENO)) {
      return BadInput(manifest +
                      ": is also an input; refusing to overwrite it");
    }
  }
  return {};
}

// Sorts by name, so that programs that get the same files in a different order
// still share the work.
Pairs ShareOf(Pairs pairs, const Shard& shard) {
  std::ranges::sort(pairs);
  Pairs share;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (shard.Has(static_cast<int64_t>(i))) share.push_back(pairs[i]);
  }
  return share;
}

Result<void> CheckResumes(const std::string& input, const std::string& output,
                          const OutputFormat& format) {
  if (input == "-" || output == "-") {
    return BadInput("--resume is only for files, not for standard " +
                    std::string(input == "-" ? "input" : "output"));
  }
  if (format.has_software_text) return {};
  return BadInput(output + ": " + std::string(format.name) +
                  " cannot record its origin; with --resume use .tif "
                  "or .png");
}

Result<ConvertJob> JobOf(const std::string& input, const std::string& output,
                         const ConvertOptions& options) {
  HALFTONED_TRY_ASSIGN(const OutputFormat* format, FormatOf(output, options));
  HALFTONED_TRY_ASSIGN(const OutputOptions output_options,
                       OutputOptionsOf(options, output, *format));
  if (output == "-" && ::isatty(STDOUT_FILENO)) {
    return BadInput(
        "standard output is a terminal; write the image to a file or a pipe");
  }
  if (output == "-" && options.json) {
    return BadInput("--json and the image cannot both go to standard output");
  }
  if (options.resume) HALFTONED_TRY(CheckResumes(input, output, *format));
  return ConvertJob{input, output, format, output_options, options.pages};
}

}  // namespace

std::string FolderToMake(const ConvertOptions& options) {
  struct stat status;
  const bool is_last = options.output.empty() && options.files.size() == 2;
  const std::string& folder = is_last ? options.files.back() : options.output;
  const bool is_missing = folder.ends_with('/') &&
                          ::stat(folder.c_str(), &status) != 0 &&
                          errno == ENOENT;
  return is_missing ? folder : "";
}

Result<std::vector<ConvertJob>> JobsOf(const ConvertOptions& options) {
  HALFTONED_TRY_ASSIGN(Pairs pairs, PairsOf(options));
  HALFTONED_TRY(CheckPairs(pairs));
  HALFTONED_TRY(CheckManifest(options.manifest, pairs));
  HALFTONED_TRY(CheckSizes(options));
  HALFTONED_TRY(CheckScreen(options.look));
  const bool is_by_page = pairs.size() == 1;
  if (!is_by_page) pairs = ShareOf(std::move(pairs), options.shard);
  std::vector<ConvertJob> jobs;
  for (const auto& [input, output] : pairs) {
    HALFTONED_TRY_ASSIGN(ConvertJob job, JobOf(input, output, options));
    if (is_by_page) job.shard = options.shard;
    jobs.push_back(std::move(job));
  }
  return jobs;
}

}  // namespace halftoned
