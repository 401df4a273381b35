// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/text.h"
#include "base/text_file.h"
#include "calibrate/calibrate_arguments.h"
#include "check/places.h"
#include "check/run_program.h"
#include "commands.h"
#include "convert/stages.h"
#include "halftone/look/print_look.h"
#include "preview/magnifier.h"
#include "preview/preview_page.h"
#include "preview/print_view.h"
#include "preview/reading_view.h"
#include "preview/shown_types.h"
#include "preview/strip_file.h"
#include "print/file/input_file.h"
#include "print/file/last_words.h"
#include "print/file/signal_watch.h"
#include "print/image/open_image.h"

namespace halftoned {
namespace {

// The settings with which a CUPS queue prints, from the program that uses CUPS:
//
//   halftone-adopt look QUEUE
//
//   answer = { setting "=" value "\n" } [ "resolution=" words "\n" ]
//
// Settings are those of look/settings.h. A dot gain and a black point are
// listed only if they are set, and a curve only if jobs are printed with it.
struct QueueLook {
  PrintLook print;
  std::string resolution;  // "600", "600x300"; empty: unknown
};

constexpr const PrintSetting& kPreviewedCurve = SettingNamed("tone-curve");
constexpr const PrintSetting& kPreviewedGain = SettingNamed("dot-gain");
constexpr const PrintSetting& kPreviewedBlack = SettingNamed("black-point");
constexpr int kSilentSeconds = 30;

// "600dpi" and "600x300dpi" without the unit.
std::string WithoutUnit(std::string resolution) {
  constexpr std::string_view kUnit = "dpi";
  if (resolution.ends_with(kUnit)) {
    resolution.resize(resolution.size() - kUnit.size());
  }
  return resolution;
}

// Sets one setting in `print`, and reads the file of a curve. Precondition: the
// value is valid for the setting.
Result<void> SetInPrint(const PrintSetting& setting, const std::string& value,
                        PrintLook& print) {
  setting.Set(value, print.look);
  if (&setting == &kPreviewedBlack) print.has_black_point = true;
  if (&setting == &kPreviewedGain) {
    print.has_dot_gain = true;
    print.measured.reset();
  }
  if (&setting != &kPreviewedCurve) return {};
  HALFTONED_TRY_ASSIGN(const std::string text, ReadTextFile(value));
  const Result<ToneCurve> curve = ToneCurve::Parse(text);
  if (!curve.ok()) return InFile(value, curve.error());
  print.measured = *curve;
  return {};
}

Result<void> Take(const std::string& line, QueueLook& look) {
  const size_t equals = line.find('=');
  if (equals == line.npos) return {};
  const std::string name = line.substr(0, equals);
  const std::string value = line.substr(equals + 1);
  if (name == "resolution") look.resolution = WithoutUnit(value);
  const PrintSetting* setting = FindSetting(name);
  return setting ? SetInPrint(*setting, value, look.print) : Result<void>{};
}

// Errors name the queue.
Result<QueueLook> ReadQueueLook(const std::string& queue) {
  const std::string helper = Places::Find().helper();
  if (!Exists(helper)) {
    return Unavailable(queue + ": " + helper + " is not installed; " +
                       HowToInstallOurs("cups-filter-halftone"));
  }
  HALFTONED_TRY_ASSIGN(const Outcome run,
                       RunProgram({helper, "look", queue}, kSilentSeconds));
  if (run.is_late) {
    return Unavailable(queue + ": CUPS does not reply; type: halftone check");
  }
  if (run.status != 0) {
    std::string said = run.errors.substr(0, run.errors.find('\n'));
    constexpr std::string_view kOurs = "halftone: ";
    if (said.starts_with(kOurs)) said.erase(0, kOurs.size());
    return Unavailable(said.empty() ? queue + ": " + helper + " has failed"
                                    : said);
  }
  QueueLook look;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) {
    HALFTONED_TRY(Take(line, look));
  }
  return look;
}

constexpr double kMillimetresOfPreview = 25.4;  // pixels per inch

int FailPreview(const std::string& message) {
  std::fprintf(stderr, "halftone: %s\n", Printable(message).c_str());
  return 1;
}

void NoteInPreview(const std::string& file, const std::string& message) {
  std::fprintf(
      stderr, "halftone: note: %s\n",
      Printable((file == "-" ? "standard input" : file) + ": " + message)
          .c_str());
}

std::string OutputOf(const PreviewOptions& options) {
  if (!options.output.empty()) return options.output;
  if (options.input == "-") return "-";
  return std::filesystem::path(options.input).stem().string() + "-preview.png";
}

Result<void> CheckIsAnother(const PreviewOptions& options,
                            const std::string& output) {
  const auto in = options.input == "-" ? FileIdentity::Look(STDIN_FILENO)
                                       : FileIdentity::Look(options.input);
  const auto out = output == "-" ? FileIdentity::Look(STDOUT_FILENO)
                                 : FileIdentity::Look(output);
  if (!in || in != out) return {};
  return BadInput(output + ": is also the input; refusing to overwrite it");
}

Result<void> CheckIsPng(const std::string& output) {
  const std::string_view extension = ExtensionOf(output);
  if (extension.empty() || LowerCase(extension) == "png") return {};
  return BadInput(output +
                  ": a preview is a PNG file; use a name that ends with .png");
}

// The settings to print with: the queue's, or the defaults, overridden by the
// options.
Result<QueueLook> LookOf(const PreviewOptions& options) {
  QueueLook look;
  if (!options.queue.empty()) {
    HALFTONED_TRY_ASSIGN(look, ReadQueueLook(options.queue));
  }
  for (const auto& [setting, value] : options.settings) {
    HALFTONED_TRY(SetInPrint(*setting, value, look.print));
  }
  if (!options.resolution.empty()) look.resolution = options.resolution;
  if (look.resolution.empty()) look.resolution = "600";
  return look;
}

class Preview {
 public:
  Preview(const PreviewOptions& options, const QueueLook& look,
          const SheetResolution& resolution)
      : options_(options),
        print_(look.print),
        geometry_{resolution.across, resolution.down} {}

  Result<std::vector<StripColumn>> Columns(PendingFiles& pending) {
    HALFTONED_TRY_ASSIGN(const auto types,
                         ShownTypes(options_.types, print_, MeanResolution()));
    HALFTONED_TRY_ASSIGN(const ToneCurve tones,
                         TonesOfPrinter(print_, MeanResolution()));
    HALFTONED_TRY_ASSIGN(const PreviewPage page,
                         ReadPreviewPage({options_.input, options_.page,
                                          geometry_.dots_per_inch_across,
                                          geometry_.dots_per_inch_down},
                                         pool_, pending));
    NoteWhatIsShown(page);
    std::vector<StripColumn> columns;
    for (const ShownType& type : types) {
      columns.push_back({type.name, {}});
      HALFTONED_TRY_ASSIGN(columns.back().pictures,
                           PicturesOf(page, type.recipe, tones));
    }
    return columns;
  }

 private:
  double MeanResolution() const {
    return (geometry_.dots_per_inch_across + geometry_.dots_per_inch_down) / 2;
  }

  void NoteWhatIsShown(const PreviewPage& page) const {
    if (!page.note.empty()) NoteInPreview(options_.input, page.note);
    if (page.rows < page.all_rows) {
      NoteInPreview(options_.input,
                    "only the first " + std::to_string(page.rows) + " of " +
                        std::to_string(page.all_rows) + " rows are shown");
    }
  }

  Result<std::vector<GrayPicture>> PicturesOf(const PreviewPage& page,
                                              const Recipe& recipe,
                                              const ToneCurve& tones) {
    std::vector<GrayPicture> pictures;
    const TextEdges edges = print_.look.text_edges;
    if (options_.magnifier.empty()) {
      HALFTONED_TRY_ASSIGN(GrayPicture view, ViewOf(page, recipe, edges,
                                                    geometry_, tones, pool_));
      pictures.push_back(std::move(view));
      return pictures;
    }
    HALFTONED_TRY_ASSIGN(const MagnifierWindow window, WindowOn(page));
    HALFTONED_TRY_ASSIGN(
        MagnifierPictures magnifier,
        MagnifierOf(page, recipe, edges, geometry_, window, pool_));
    pictures.push_back(std::move(magnifier.bits));
    pictures.push_back(std::move(magnifier.print));
    return pictures;
  }

  Result<MagnifierWindow> WindowOn(const PreviewPage& page) const {
    MagnifierPlace place{};
    if (!SetMagnifierPlace(options_.magnifier, place)) {
      return MagnifierAround(page.page.width() / 2.0, page.rows / 2.0, page);
    }
    const double across =
        geometry_.dots_per_inch_across / kMillimetresOfPreview;
    const double down = geometry_.dots_per_inch_down / kMillimetresOfPreview;
    if (place.x * across > page.page.width() || place.y * down > page.rows) {
      const auto whole = [](double length) {
        return std::to_string(static_cast<int64_t>(length));
      };
      return BadInput("--magnify=" + options_.magnifier +
                      " is not on the page, of " +
                      whole(page.page.width() / across) + " by " +
                      whole(page.rows / down) + " millimeters");
    }
    return MagnifierAround(place.x * across, place.y * down, page);
  }

  const PreviewOptions& options_;
  const PrintLook& print_;
  const PrintGeometry geometry_;
  Pool pool_{0};
};

std::string NamesOf(const std::vector<StripColumn>& columns) {
  std::vector<std::string_view> names;
  for (const StripColumn& column : columns) names.push_back(column.name);
  std::string text;
  for (const std::string_view name : names) {
    text.append(text.empty() ? "" : ", ").append(name);
  }
  return text;
}

Result<void> Run(const PreviewOptions& options) {
  const std::string output = OutputOf(options);
  HALFTONED_TRY(CheckIsAnother(options, output));
  HALFTONED_TRY(CheckIsPng(output));
  HALFTONED_TRY_ASSIGN(const QueueLook look, LookOf(options));
  SheetResolution resolution;
  if (!SetResolution(look.resolution, resolution)) {
    return BadInput(options.queue + ": its resolution is '" + look.resolution +
                    "'; give one with --dpi");
  }
  PendingFiles pending(!options.no_clobber);
  const LastWordsFiles last_words(pending);
  const SignalWatch signals(pending);
  HALFTONED_TRY_ASSIGN(const auto columns,
                       Preview(options, look, resolution).Columns(pending));
  const std::optional<double> pixels_of_inch =
      options.magnifier.empty() ? std::optional(ReadingView::kPixelsOfInch)
                                : std::nullopt;
  HALFTONED_TRY(WriteStrip(columns, pixels_of_inch, output, pending));
  if (output == "-") return {};
  std::puts(
      Printable(output + ": " + NamesOf(columns) + ", dpi: " + look.resolution)
          .c_str());
  return {};
}

}  // namespace

int RunCommand(const PreviewOptions& options) {
  const Result<void> done = Run(options);
  return done.ok() ? 0 : FailPreview(done.error().message);
}

}  // namespace halftoned
