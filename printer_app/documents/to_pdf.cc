// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/documents/to_pdf.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/text.h"
#include "print/file/input_file.h"
#include "print/limits/guarded_child.h"
#include "print/limits/render_guard.h"
#include "print/limits/render_pool.h"
#include "print/process/pipe.h"
#include "print/render/drawing.h"

namespace halftoned {
namespace {

using namespace std::chrono_literals;

// Pages are not rotated, and pictures are not compressed with loss.
constexpr const char* kAsItIs[] = {
    "-dAutoRotatePages=/None", "-dAutoFilterColorImages=false",
    "-dAutoFilterGrayImages=false", "-dColorImageFilter=/FlateEncode",
    "-dGrayImageFilter=/FlateEncode"};
constexpr double kDotsPerInch = 720;
constexpr PagePatience::Time kLookAtOthers = 5s;

Result<Descriptor> NewFile(const std::string& path) {
  return Descriptor::Open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
}

// Returns the bytes to write for a piece of a document. An empty piece is the
// end.
using Change = std::function<std::string_view(std::string_view piece)>;

using CpuTime = std::function<std::optional<std::chrono::nanoseconds>()>;

// cpu_time: of the program that makes it. Not all programs notice a full disk.
// A PostScript program can write an infinite number of pages.
Result<void> Copy(int from, const Descriptor& to, const Conversion& job,
                  const CpuTime& cpu_time, const Change& change) {
  using Clock = std::chrono::steady_clock;
  const Stop& stop = job.renderers.stop();
  const RenderLimits limits = ReadRenderLimits();
  const uint64_t most = LimitsOfSystem(limits).file_bytes;
  std::vector<char> room(size_t{1} << 16);
  uint64_t size = 0;
  auto counted = Clock::now();
  for (bool is_end = false; !is_end;) {
    pollfd waits[] = {{from, POLLIN, 0}, {stop.fd(), POLLIN, 0}};
    ::poll(waits, 2, static_cast<int>(kLookAtOthers.count()));
    if (stop.requested()) return IoError("the job was canceled");
    const auto passed =
        std::chrono::duration_cast<PagePatience::Time>(Clock::now() - counted);
    if (passed >= kLookAtOthers) {
      if (!job.patience.WaitForWork(passed, cpu_time().value_or(0ns))) {
        return IoError("its conversion takes long, and other jobs wait");
      }
      counted = Clock::now();
    }
    if (waits[0].revents == 0) continue;
    const ssize_t got = ::read(from, room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoError(ErrorCode::kIo, "cannot read");
    is_end = got == 0;
    const auto bytes = std::as_bytes(
        std::span(change({room.data(), static_cast<size_t>(got)})));
    size += bytes.size();
    if (size > RenderPool::kSmall) HALFTONED_TRY(RenderPool::CheckDisk());
    if (size > most) return BadInput(TooMuchDisk(limits));
    const Result<void> written = WriteFully(to.get(), bytes);
    if (!written.ok()) {
      RenderPool::NoteShortage();
      return written;
    }
  }
  return {};
}

// The only part of a PPD file that texttopdf reads: the paper.
std::string PpdOf(const SheetPaper& paper) {
  constexpr char kFormat[] =
      "*PPD-Adobe: \"4.3\"\n*FormatVersion: \"4.3\"\n*FileVersion: \"1.0\"\n"
      "*LanguageVersion: English\n*LanguageEncoding: ISOLatin1\n"
      "*PCFileName: \"TEXT.PPD\"\n*Manufacturer: \"Text\"\n"
      "*Product: \"(Text)\"\n*ModelName: \"Text\"\n*ShortNickName: \"Text\"\n"
      "*NickName: \"Text\"\n*PSVersion: \"(3010.000) 0\"\n"
      "*LanguageLevel: \"3\"\n*ColorDevice: False\n*DefaultColorSpace: Gray\n"
      "*OpenUI *PageSize: PickOne\n*DefaultPageSize: Paper\n"
      "*PageSize Paper: \"\"\n*CloseUI: *PageSize\n"
      "*OpenUI *PageRegion: PickOne\n*DefaultPageRegion: Paper\n"
      "*PageRegion Paper: \"\"\n*CloseUI: *PageRegion\n"
      "*DefaultImageableArea: Paper\n"
      "*ImageableArea Paper: \"%d %d %d %d\"\n"
      "*DefaultPaperDimension: Paper\n*PaperDimension Paper: \"%d %d\"\n";
  const auto whole = [](double length) { return static_cast<int>(length); };
  const auto& [width, height] = paper.size;
  std::array<char, sizeof(kFormat) + 100> text;
  std::snprintf(text.data(), text.size(), kFormat, whole(paper.left) + 1,
                whole(paper.bottom) + 1, whole(width - paper.right),
                whole(height - paper.top), whole(width), whole(height));
  return text.data();
}

Result<void> DrawPdf(const Conversion& job) {
  HALFTONED_TRY_ASSIGN(InputFile document, InputFile::Open(job.from));
  HALFTONED_TRY_ASSIGN(const auto bytes, document.Peek(64));
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               bytes.size());
  HALFTONED_TRY_ASSIGN(const Descriptor made, NewFile(job.to));
  HALFTONED_TRY_ASSIGN(const Descriptor read,
                       Descriptor::Open(job.from, O_RDONLY));
  std::vector<std::string> words = WordsFor(
      {.device = "pdfwrite",
       .dots_across = kDotsPerInch,
       .dots_down = kDotsPerInch,
       .is_eps = start.substr(0, start.find('\n')).find("EPSF") != start.npos,
       .usual_size = {{job.paper.size.width, job.paper.size.height}}});
  words.insert(words.end(), std::begin(kAsItIs), std::end(kAsItIs));
  HALFTONED_TRY_ASSIGN(auto renderer,
                       job.renderers.Start({.document = read.get(),
                                            .folder = job.folder,
                                            .words = std::move(words)}));
  HALFTONED_TRY(renderer->Draw("", kTimesOfConversion));
  const Descriptor pages = renderer->TakePages();
  HALFTONED_TRY(Copy(
      pages.get(), made, job, [&] { return renderer->CpuTime(); },
      std::identity()));
  const Result<void> ended = renderer->EndOf(pages.get());
  // The document would make it crash again.
  if (renderer->HasCrashed()) return BadInput("Ghostscript crashed");
  return ended;
}

// Appends the first character, and returns its size in `text`. texttopdf ends
// without an error at bytes that are not UTF-8, which become Latin-1 here, and
// at characters above U+FFFF, which become "?".
size_t AppendSettable(std::string_view text, std::string& settable) {
  constexpr size_t kMostBytes = 3;
  const size_t size = Utf8Bytes(text);
  if (size == 0) {
    settable += Utf8FromLatin1(text.substr(0, 1));
    return 1;
  }
  const std::string_view character = text.substr(0, size);
  // U+FFFE and U+FFFF are no characters.
  const bool is_none =
      character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
  settable += size > kMostBytes || is_none ? "?" : character;
  return size;
}

class SettableText {
 public:
  // A Change, whose result is valid until the next call.
  std::string_view Next(std::string_view piece) {
    constexpr size_t kMostOfCharacter = 4;
    const auto is_ascii = [](char c) { return (c & 0x80) == 0; };
    if (!has_only_cr_) has_only_cr_ = piece.find('\n') == piece.npos;
    rest_ += piece;
    text_.clear();
    std::string_view left = rest_;
    while (true) {
      const auto plain = static_cast<size_t>(
          std::ranges::find_if_not(left, is_ascii) - left.begin());
      text_ += left.substr(0, plain);
      left.remove_prefix(plain);
      if (left.size() < (piece.empty() ? 1 : kMostOfCharacter)) break;
      left.remove_prefix(AppendSettable(left, text_));
    }
    rest_ = std::string(left);
    if (*has_only_cr_) std::ranges::replace(text_, '\r', '\n');
    return text_;
  }

 private:
  // The first piece has no LF: CR ends lines, as on old Macintosh computers.
  std::optional<bool> has_only_cr_;
  std::string rest_;  // of a character that the next piece may complete
  std::string text_;
};

Result<void> CopySettable(const Conversion& job, const std::string& to) {
  HALFTONED_TRY_ASSIGN(const Descriptor source,
                       Descriptor::Open(job.from, O_RDONLY));
  HALFTONED_TRY_ASSIGN(const Descriptor made, NewFile(to));
  SettableText text;
  const auto no_work = [] { return std::chrono::nanoseconds::max(); };
  return Copy(source.get(), made, job, no_work,
              [&](std::string_view piece) { return text.Next(piece); });
}

Result<void> SetText(const Conversion& job) {
  HALFTONED_TRY_ASSIGN(RenderGuard guard,
                       RenderGuard::Make(job.folder, "text-"));
  const std::string ppd = guard.folder() + "/text.ppd";
  {
    HALFTONED_TRY_ASSIGN(const Descriptor file, NewFile(ppd));
    const std::string text = PpdOf(job.paper);
    HALFTONED_TRY(WriteFully(file.get(), std::as_bytes(std::span(text))));
  }
  const std::string settable = guard.folder() + "/text";
  HALFTONED_TRY(CopySettable(job, settable));
  HALFTONED_TRY_ASSIGN(const Descriptor text,
                       Descriptor::Open(settable, O_RDONLY));
  HALFTONED_TRY_ASSIGN(const Descriptor made, NewFile(job.to));
  HALFTONED_TRY_ASSIGN(Pipe pdf, Pipe::Make());
  HALFTONED_TRY_ASSIGN(const Descriptor silence,
                       Descriptor::Open("/dev/null", O_WRONLY));
  std::vector<std::string> variables = EnvironmentWithout(
      {"PPD", "CHARSET", "CONTENT_TYPE", "TMPDIR", "PRINTER"});
  variables.insert(variables.end(),
                   {"PPD=" + ppd, "CHARSET=utf-8", "CONTENT_TYPE=text/plain",
                    "TMPDIR=" + guard.folder(), "PRINTER=text"});
  GuardedOrder order{
      .program = {.name = "texttopdf",
                  .words = {FindTextToPdf(), "1", "user", "text", "1", ""},
                  .environment = std::move(variables),
                  .input = text.get(),
                  .output = pdf.writing.get(),
                  .messages = silence.get()},
      .run = {.times = kTimesOfConversion},
      .user = job.renderers.user(),
      .folder = job.folder};
  HALFTONED_TRY_ASSIGN(const auto process,
                       GuardedChild::Start(std::move(guard), std::move(order)));
  pdf.writing.Close();
  HALFTONED_TRY(Copy(
      pdf.reading.get(), made, job, [&] { return process->child().CpuTime(); },
      std::identity()));
  const Result<void> finished = process->child().Finish(job.renderers.stop());
  if (finished.ok() || job.renderers.stop().requested()) return finished;
  HALFTONED_TRY(process->Verdict(""));
  return process->child().WasKilled() ? IoError(finished.error().message)
                                      : finished;
}

// Once more if the program was killed, and so is not at fault.
Result<void> ConvertTwice(Result<void> convert(const Conversion&),
                          const Conversion& job) {
  Result<void> made = convert(job);
  const bool may_retry = !made.ok() && made.error().code == ErrorCode::kIo &&
                         !job.renderers.stop().requested() &&
                         !job.patience.is_over();
  if (!may_retry) return made;
  ::unlink(job.to.c_str());
  RenderPool::AwaitRoom(job.renderers.stop());
  return convert(job);
}

}  // namespace

Result<void> PostScriptToPdf(const Conversion& job) {
  return ConvertTwice(DrawPdf, job);
}

Result<void> TextToPdf(const Conversion& job) {
  return ConvertTwice(SetText, job);
}

std::string FindTextToPdf() {
  const char* folder = std::getenv("CUPS_SERVERBIN");
  const std::string path =
      std::string(folder ? folder : HALFTONED_CUPS_SERVERBIN) +
      "/filter/texttopdf";
  return ::access(path.c_str(), X_OK) == 0 ? path : "";
}

}  // namespace halftoned
