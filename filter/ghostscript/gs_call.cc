// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/ghostscript/gs_call.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr std::string_view kDevice = "-sDEVICE=";
constexpr std::string_view kOutput = "-sOutputFile=";
constexpr std::string_view kCmykProfile = "-sDefaultCMYKProfile=";

// Options whose value is the next word.
bool TakesNextWord(std::string_view word) {
  return word == "-o" || word == "-I" || word == "-sDEVICE" ||
         word == "-sOutputFile";
}

// Files, and programs in PostScript; all words after the first are read in
// order.
bool BeginsDocument(std::string_view word) {
  return word == "-" || word == "-_" || word == "-c" || word == "-f" ||
         !word.starts_with("-");
}

// Whether it leaves out pages, or prints them several times.
bool ChoosesPages(std::string_view word) {
  return word.starts_with("-dFirstPage") || word.starts_with("-dLastPage") ||
         word.starts_with("-sPageList") || word.starts_with("-dNumCopies");
}

bool SetsResolution(std::string_view word) {
  return word.starts_with("-r") || word.starts_with("-dDEVICEXRESOLUTION");
}

bool AsksForTray(std::string_view word) {
  return word.starts_with("-dMediaPosition=") ||
         word.starts_with("-dManualFeed");
}

// Whether the words after `word` are given to a program in PostScript.
bool NamesProgram(std::string_view word) {
  return word == "--" || word == "-+" || word == "-@" || word.starts_with("@");
}

}  // namespace

Result<GsCall> GsCall::Parse(std::span<char* const> words) {
  GsCall call;
  bool in_document = false;
  for (size_t at = 0; at < words.size(); ++at) {
    const std::string_view word = words[at];
    if (NamesProgram(word)) {
      return BadInput("it is called with " + Printable(word));
    }
    in_document = in_document || BeginsDocument(word);
    if (word.starts_with(kDevice)) {
      call.device_ = word.substr(kDevice.size());
    } else if (TakesNextWord(word) && word != "-I") {
      return BadInput("it is called with " + std::string(word) +
                      ", not with -sDEVICE= and -sOutputFile=");
    } else if (word.starts_with(kOutput)) {
      call.output_ = {std::string(word)};
    } else if (in_document) {
      call.document_.emplace_back(word);
    } else {
      call.options_.emplace_back(word);
      if (TakesNextWord(word) && at + 1 < words.size()) {
        call.options_.emplace_back(words[++at]);
      }
    }
  }
  return call;
}

std::string GsCall::only_file() const {
  const bool has_f = !document_.empty() && document_.front() == "-f";
  if (document_.size() != (has_f ? 2U : 1U) ||
      document_.back().starts_with("-") ||
      std::ranges::any_of(options_, ChoosesPages)) {
    return "";
  }
  return document_.back();
}

std::vector<std::string> GsCall::ForBlack(
    const std::string& cmyk_profile) const {
  std::vector<std::string> words = Printing();
  words.push_back(std::string(kCmykProfile) + cmyk_profile);
  words.insert(words.end(), document_.begin(), document_.end());
  return words;
}

std::vector<std::string> GsCall::ForGray(
    const std::string& output, const std::string& cmyk_profile) const {
  std::vector<std::string> words = {"-sDEVICE=cups",
                                    "-dcupsColorSpace=18",  // gray, as light
                                    "-dcupsBitsPerColor=8",
                                    "-dcupsColorOrder=0",
                                    "-sstdout=%stderr",
                                    std::string(kCmykProfile) + cmyk_profile,
                                    std::string(kOutput) + output};
  if (std::ranges::none_of(options_, SetsResolution)) {
    words.push_back("-r" + std::string(DeviceNamed(device_).resolution));
  }
  words.insert(words.end(), options_.begin(), options_.end());
  words.insert(words.end(), document_.begin(), document_.end());
  return words;
}

std::vector<std::string> GsCall::ForDots() const {
  std::vector<std::string> words = Printing();
  // Unlike with "-", Ghostscript does not read this byte by byte.
  words.push_back("-_");
  return words;
}

std::vector<std::string> GsCall::Printing() const {
  const Device device = DeviceNamed(device_);
  std::vector<std::string> words = options_;
  if (device.ignores_trays) std::erase_if(words, AsksForTray);
  words.insert(words.end(), output_.begin(), output_.end());
  words.push_back(std::string(kDevice) + std::string(device.for_dots));
  return words;
}

}  // namespace halftoned
