// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "base/text.h"
#include "base/text_file.h"
#include "calibrate/sheet/gray_picture.h"
#include "calibrate/sheet/sheet_curve.h"
#include "calibrate/target_file.h"
#include "calibrate/tone_report.h"
#include "check/places.h"
#include "commands.h"
#include "convert/stages.h"
#include "print/file/last_words.h"
#include "print/file/output_file.h"
#include "print/image/open_image.h"
#include "settings/change_settings.h"

namespace halftoned {
namespace {

constexpr int64_t kMostPixels = int64_t{1} << 28;  // A4 at 1200 dpi

Result<GrayPicture> Read(PageReader& page) {
  const PageInfo& info = page.info();
  const int32_t width = info.page.width();
  if (info.rows > kMostPixels / width) {
    return BadInput("has too many pixels: scan at 300 dpi or less");
  }
  GrayPicture picture(width, static_cast<int>(info.rows));
  const size_t bytes = BytesPerSample(info.page.depth());
  // 16-bit samples are native-endian.
  const size_t high =
      std::endian::native == std::endian::little ? bytes - 1 : 0;
  std::vector<std::byte> row(info.page.gray_bytes_per_row());
  for (int y = 0; y < picture.height; ++y) {
    HALFTONED_TRY(page.Read({row.data(), row.size(), 1}));
    uint8_t* gray = picture.Row(y);
    for (int x = 0; x < width; ++x) {
      gray[x] = std::to_integer<uint8_t>(row[bytes * x + high]);
    }
  }
  return picture;
}

// The first page of a scan as a picture in memory, from a TIFF, PNG, JPEG or
// PNM file; "-" is standard input. Errors begin with the file's name.
Result<GrayPicture> ReadScan(const std::string& path) {
  Stage stage{path == "-" ? "standard input" : path};
  return stage.Do([&]() -> Result<GrayPicture> {
    HALFTONED_TRY_ASSIGN(InputFile file, InputFile::Open(path));
    HALFTONED_TRY_ASSIGN(const auto image, OpenImage(file));
    HALFTONED_TRY_ASSIGN(const auto page, image->Next());
    if (!page) return BadInput("has no page");
    return Read(*page);
  });
}

struct WrittenCurve {
  std::string path;
  // The new path of the previous curve; empty if there was none.
  std::string kept;
};

Result<void> Write(const std::string& path, const std::string& text) {
  PendingFiles pending;
  const LastWordsFiles last_words(pending);
  HALFTONED_TRY_ASSIGN(const auto file, OutputFile::Create(path, pending));
  if (file->is_seekable() && ::fchmod(file->fd(), 0644) != 0) {
    return ErrnoError(ErrorCode::kIo, "cannot be made readable for filters");
  }
  HALFTONED_TRY(file->Write(std::as_bytes(std::span(text))));
  return file->Commit();
}

// The path of a queue's curve: next to halftoned.conf.
std::string CurvePathOf(const std::string& queue,
                        const std::string& configuration) {
  const auto folder = std::filesystem::path(configuration).parent_path();
  return (folder / (queue + ".curve")).string();
}

// Writes the file atomically, and keeps an existing curve under another name.
// Every user may read the file, because filters must. Errors begin with the
// file's name.
Result<WrittenCurve> WriteCurve(const std::string& path,
                                const std::string& text) {
  WrittenCurve written{path, ""};
  const bool is_there = ::access(path.c_str(), F_OK) == 0 || errno != ENOENT;
  if (is_there) {
    HALFTONED_TRY_ASSIGN(const std::string before, ReadTextFile(path));
    written.kept = path + ".old";
    const Result<void> kept = Write(written.kept, before);
    if (!kept.ok()) return InFile(written.kept, kept.error());
  }
  const Result<void> done = Write(path, text);
  if (!done.ok()) return InFile(path, done.error());
  return written;
}

// Restores the previous curve.
void Undo(const WrittenCurve& written) {
  if (written.kept.empty()) {
    ::unlink(written.path.c_str());
  } else {
    std::rename(written.kept.c_str(), written.path.c_str());
  }
}

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

// Sets the queue's tone curve in halftoned.conf.
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

int RunCommand(const CalibrateOptions& options) {
  const Result<void> done = Run(options);
  return done.ok() ? 0 : Fail(done.error().message);
}

}  // namespace halftoned
