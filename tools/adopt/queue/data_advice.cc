// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/queue/data_advice.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "adopt/print/page_words.h"
#include "adopt/queue/named_queue.h"
#include "base/text.h"
#include "halftone/look/tones/screen_cells.h"

namespace halftoned {
namespace {

constexpr double kKilo = 1024;
constexpr double kMega = kKilo * kKilo;
constexpr double kPointsPerInch = 72;

// The option for memory in Adobe's specification of PPD files.
constexpr char kMemory[] = "InstalledMemory";

struct Growth {
  std::string_view word;   // a word in the PPD file
  std::string_view pages;  // pages that become larger
  std::string_view times;
  bool screen_helps = true;
};
constexpr Growth kMeasured[] = {
    {"rastertobrlaser", "photographs", "5"},
    {"rastertoqpdl", "photographs", "9"},
    {"hpcups", "photographs", "5"},
    {"rastertosag-gdi", "photographs", "3"},
    {"=pxlmono", "pages with text and gray", "18", false},
    {"-wrapper", "photographs", "7"},
    {"rastertoptch", "", ""},  // labels are short
    {"foomatic-rip", "photographs", "4"}};

// The model of ours whose driver compresses.
constexpr std::string_view kOurPclModel = "*PCFileName: \"htpcl.ppd\"";

std::optional<Growth> GrowthOf(std::string_view ppd) {
  const auto* const found = std::ranges::find_if(
      kMeasured,
      [&](const Growth& growth) { return ppd.find(growth.word) != ppd.npos; });
  if (found == std::end(kMeasured) || found->pages.empty()) return std::nullopt;
  return *found;
}

// Words about a port that is slow with any printer; empty for other URIs.
std::string SlowPort(std::string_view device_uri) {
  for (const std::string_view port : {"serial", "parallel", "bluetooth"}) {
    if (LowerCase(device_uri).starts_with(std::string(port) + ":")) {
      return "its " + std::string(port) + " port is slow";
    }
  }
  return "";
}

// The bytes of "2Meg", "2MB" or "2048K"; 0 for anything else.
double MemoryIn(const std::string& choice) {
  char* end = nullptr;
  const double number = std::strtod(choice.c_str(), &end);
  if (end == choice.c_str() || !(number > 0)) return 0;
  switch (std::tolower(static_cast<unsigned char>(*end))) {
    case 'k':
      return number * kKilo;
    case 'm':
      return number * kMega;
    default:
      return 0;
  }
}

// The dpi of "600dpi" or "600x300dpi"; 0 if the queue does not state it.
DotsPerInch DotsOf(const NamedQueue& queue) {
  const std::string resolution = QueueResolution(queue);
  char* end = nullptr;
  const double across = std::strtod(resolution.c_str(), &end);
  return {across, *end == 'x' ? std::strtod(end + 1, nullptr) : across};
}

// The size in bytes of a page of dots in the default size; 0 if unknown.
double PageBytes(const NamedQueue& queue) {
  const DotsPerInch resolution = DotsOf(queue);
  return queue.size.width / kPointsPerInch * resolution.across *
         queue.size.height / kPointsPerInch * resolution.down / 8;
}

// The type with the best quality for its amount of data. At 600 dpi, where it
// was measured, the ruling has cells that are half a byte wide.
std::string LeanType(const NamedQueue& queue) {
  const DotsPerInch resolution = DotsOf(queue);
  const bool was_measured = resolution.across == 600 && resolution.down == 600;
  return std::string("halftone-type=screen") +
         (was_measured ? " screen-lpi=150 screen-angle=0" : "");
}

std::string SmallMemory(const NamedQueue& queue) {
  const double memory = MemoryIn(queue.queue.Ppd(kMemory).value_or(""));
  if (memory <= 0 || memory >= PageBytes(queue)) return "";
  const bool is_in_mega = memory >= kMega;
  return "the printer has " +
         std::to_string(std::lround(memory / (is_in_mega ? kMega : kKilo))) +
         (is_in_mega ? " MB" : " kB") + " of memory, as its PPD file says";
}

bool SendsLittle(const NamedQueue& queue, const Config& config) {
  const auto settings = EffectiveSettings(queue, config);
  if (!settings.ok()) return false;
  return std::ranges::any_of(*settings, [](const EffectiveSetting& each) {
    return each.setting->name == "halftone-type" &&
           (each.value == "screen" || each.value == "bi-level");
  });
}

struct Less {
  // "its serial port is slow", "the printer has 2 MB of memory, as its PPD file
  // says"; empty if there is no such reason, or the queue's type sends little.
  std::string why;
  std::string settings;  // settings that send less
};

Less LessFor(const std::string& queue, std::string_view device_uri,
             std::string_view ppd,
             const std::map<std::string, std::string>& options,
             const Config& config) {
  std::string why = SlowPort(device_uri);
  // Last, because parsing takes time.
  if (why.empty() && ppd.find(kMemory) == ppd.npos) return {};
  const Result<NamedQueue> named = QueueOfPpd(queue, ppd, options);
  if (!named.ok()) return {};
  if (why.empty()) why = SmallMemory(*named);
  if (why.empty() || SendsLittle(*named, config)) return {};
  return {why, LeanType(*named)};
}

}  // namespace

std::string DataAdvice(const std::string& queue, std::string_view device_uri,
                       std::string_view ppd,
                       const std::map<std::string, std::string>& options,
                       const Config& config) {
  const std::optional<Growth> growth = GrowthOf(ppd);
  const std::string grows =
      growth ? std::string(growth->pages) + " become up to " +
                   std::string(growth->times) + " times as much data"
             : "";
  const Less less = LessFor(queue, device_uri, ppd, options, config);
  if (less.why.empty()) {
    if (!growth) return "";
    return grows + ": if the printer runs out of memory, " +
           (growth->screen_helps ? "print them with -o halftone-type=screen"
                                 : "release the queue");
  }
  const std::string to_send_less =
      less.why + ": to send less, type: sudo halftone ";
  if (growth && !growth->screen_helps) {
    return grows + ", and " + to_send_less + "release " + ShellWord(queue);
  }
  if (!growth && ppd.find(kOurPclModel) == ppd.npos) return "";
  return (growth ? grows + ", and " : "") + to_send_less + "set " +
         ShellWord(queue) + " " + less.settings;
}

std::string ShellWord(const std::string& text) {
  const bool is_plain =
      std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) ||
               std::string_view(":/._-%").find(static_cast<char>(c)) !=
                   std::string_view::npos;
      });
  return is_plain ? text : "'" + text + "'";
}

}  // namespace halftoned
