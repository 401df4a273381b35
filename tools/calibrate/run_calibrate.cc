// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calibrate/run_calibrate.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/text.h"
#include "calibrate/curve_file.h"
#include "calibrate/scan_file.h"
#include "calibrate/sheet/sheet_curve.h"
#include "calibrate/target_file.h"
#include "calibrate/tone_report.h"
#include "check/places.h"
#include "convert/stages.h"
#include "settings/change_settings.h"

namespace halftoned {
namespace {

int Fail(const std::string& message) {
  std::fprintf(stderr, "halftone: %s\n", Printable(message).c_str());
  return 1;
}

void Print(const std::string& line) { std::puts(Printable(line).c_str()); }

std::string QueueOf(const SheetInfo& info) {
  return info.queue.empty() ? "no queue" : info.queue;
}

void PrintHead(const SheetInfo& info) {
  Print(QueueOf(info) + ", halftone-type: " + info.type +
        ", dpi: " + info.resolution);
}

Result<SheetReading> Read(const std::string& path) {
  HALFTONED_TRY_ASSIGN(const GrayPicture scan, ReadScan(path));
  auto reading = ReadSheet(scan);
  if (!reading.ok()) {
    return InFile(path == "-" ? "standard input" : path, reading.error());
  }
  return reading;
}

Result<void> CheckIsMeant(const SheetInfo& info,
                          const CalibrateOptions& options) {
  if (info.has_curve) {
    return BadInput(options.subject +
                    ": the chart was printed with a curve; type: halftone "
                    "calibrate verify " +
                    options.subject);
  }
  if (!options.queue.empty() && options.queue != info.queue) {
    return BadInput(options.subject + ": the chart is for " + QueueOf(info) +
                    ", not for " + options.queue +
                    "; to print one, type: halftone calibrate print " +
                    options.queue);
  }
  if (info.queue.empty() && options.curve.empty() && !options.dry_run) {
    return BadInput(
        options.subject +
        ": the chart names no queue; give a file for its curve with --curve");
  }
  return {};
}

// Where halftoned.conf has the queue's settings, if the sheet is of one.
Result<void> SetCurve(const std::string& queue, const std::string& path,
                      const std::string& configuration) {
  SettingsOptions options;
  options.words = {"tone-curve=" + path};
  HALFTONED_TRY_ASSIGN(const auto changes, ChangesOf(options, true));
  return ChangeSettings(configuration, {queue}, changes);
}

// The file for the curve.
std::string CurvePath(const SheetInfo& info, const CalibrateOptions& options,
                      const std::string& configuration) {
  if (options.dry_run) return "";
  const std::string path = options.curve.empty()
                               ? CurvePathOf(info.queue, configuration)
                               : options.curve;
  return info.queue.empty() ? path : std::filesystem::absolute(path).string();
}

Result<WrittenCurve> Keep(const SheetReading& reading, const std::string& text,
                          const std::string& path,
                          const std::string& configuration) {
  const SheetInfo& info = reading.info;
  HALFTONED_TRY_ASSIGN(
      WrittenCurve written,
      WriteCurve(path, "# " + info.queue + ", " + info.type +
                           ", dpi: " + info.resolution +
                           "; by halftone calibrate\n" + text));
  if (info.queue.empty()) return written;
  const Result<void> set = SetCurve(info.queue, path, configuration);
  if (set.ok()) return written;
  Undo(written);
  return set.error();
}

void PrintKept(const WrittenCurve& written, const std::string& queue,
               const std::string& configuration) {
  Print("wrote " + written.path +
        (written.kept.empty() ? ""
                              : "; the previous curve is in " + written.kept));
  if (!queue.empty()) {
    Print(queue + ": tone-curve = " + written.path + "  (" + configuration +
          ")");
  }
}

void PrintTones(const SheetReading& reading, const std::vector<double>& before,
                const std::vector<double>& after) {
  PrintHead(reading.info);
  std::fputs(BeforeAndAfter(before, after).c_str(), stdout);
  Print("without the curve: " + WordsOf(ResidualOf(reading)));
  Print("expected with it: " + ExpectedWordsOf(ExpectedResidual(reading)));
  std::fflush(stdout);
}

Error WithSudo(const Error& error) {
  if (error.code != ErrorCode::kIo || ::geteuid() == 0) return error;
  return {error.code,
          error.message + "; nothing was changed; run the command with sudo"};
}

Result<void> RunRead(const CalibrateOptions& options) {
  HALFTONED_TRY_ASSIGN(const SheetReading reading, Read(options.subject));
  HALFTONED_TRY(CheckIsMeant(reading.info, options));
  const std::string configuration = Places::Find().configuration;
  const std::string path = CurvePath(reading.info, options, configuration);
  if (options.no_clobber && std::filesystem::exists(path)) {
    return BadInput(path + ": already exists");
  }
  const std::vector<double> before = PrintedLight(reading);
  const std::string text = CurveTextOf(before);
  HALFTONED_TRY_ASSIGN(const ToneCurve curve, ToneCurve::Parse(text));
  const std::vector<double> after = WithCurve(before, curve);
  if (!options.picture.empty()) {
    HALFTONED_TRY(
        DrawTones(options.picture, before, after, !options.no_clobber));
  }
  if (!options.json) PrintTones(reading, before, after);
  if (!path.empty()) {
    const auto kept = Keep(reading, text, path, configuration);
    if (!kept.ok()) return WithSudo(kept.error());
    if (!options.json) PrintKept(*kept, reading.info.queue, configuration);
  }
  if (options.json) {
    std::fputs(JsonOfRead(reading, before, after, path).c_str(), stdout);
  }
  return {};
}

Result<void> RunCheck(const CalibrateOptions& options) {
  HALFTONED_TRY_ASSIGN(const SheetReading reading, Read(options.subject));
  const SheetInfo& info = reading.info;
  if (!info.has_curve) {
    return BadInput(options.subject +
                    ": the chart was printed without a curve; to print a "
                    "second one, type: halftone calibrate print --second");
  }
  if (options.json) {
    std::fputs(JsonOfVerify(reading).c_str(), stdout);
    return {};
  }
  PrintHead(info);
  std::fputs(AskedAndPrinted(reading).c_str(), stdout);
  Print("with the curve: " + WordsOf(ResidualOf(reading)));
  return {};
}

Result<void> Run(const CalibrateOptions& options) {
  if (options.step == "print") return WriteTarget(options);
  return options.step == "read" ? RunRead(options) : RunCheck(options);
}

}  // namespace

int RunCalibrate(const CalibrateOptions& options) {
  const Result<void> done = Run(options);
  return done.ok() ? 0 : Fail(done.error().message);
}

}  // namespace halftoned
