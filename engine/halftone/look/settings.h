// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings of how pages look, each of them written once: its names, its
// values, its default, its help and its sources. The parsers of job options,
// PPD files, halftoned.conf, `halftone convert` and the C library are all made
// from this table, and halftone-settings.7, ppd/halftoned.drv and
// conf/halftoned.conf are tested against it.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "halftone/page/clustered_table.h"
#include "halftone/page/recipe.h"

namespace halftoned {

// How a printer makes its dots.
enum class Technology : uint8_t { kLaser, kInkjet, kThermal };

// The dots; halftone_type.h turns them into a recipe's numbers.
struct HalftoneType {
  std::optional<Algorithm> algorithm;  // none: what suits the printer
  double cluster_size = 4;             // of clustered: dots
  double screen_lpi = 0;               // of screen: lpi; 0: what suits a page
  double screen_angle = 45;            // of screen: degrees
  DotShape::Outline screen_shape = DotShape::kRound;  // of screen
  double print_feedback = 0;  // of fine and best: percent of what suits them
  double min_run = 1;         // of classic kernels: pixels
  Technology technology = Technology::kLaser;
};

// The meaning of a gray value: a reflectance, or the lightness that sGray has
// on a display.
enum class ToneAim : uint8_t { kLinear, kDisplay };

// The tones; tone.h turns them into a curve. The defaults change nothing.
struct Tone {
  double black_point = 0;  // of 255
  double contrast = 0;     // percent, like all below except gamma
  double brightness = 0;
  double gamma = 1;
  ToneAim aim = ToneAim::kLinear;
  double toner_save = 0;
  double dot_gain = 0;
};

// The treatment of the edges of text and bar codes (edge_snapper.h).
enum class TextEdges : uint8_t { kOff, kCrisp, kSoft, kBarcode };

// All settings. The defaults are those for files, without a printer.
struct Look : HalftoneType, Tone {
  int levels = 2;
  TextEdges text_edges = TextEdges::kOff;
  std::string tone_curve;  // a file; none if empty

  bool has_crisp_edges() const { return text_edges != TextEdges::kOff; }
  // Whether pages of pure black and white print unchanged, so that they can be
  // rendered at one bit per pixel. False with barcode, which needs gray, and if
  // runs have a minimum length, because runs can then grow.
  bool keeps_pure_pixels() const {
    return text_edges != TextEdges::kBarcode && min_run <= 1;
  }
};

// The black point for CMYK that Ghostscript renders.
inline constexpr double kRenderersBlackPoint = 32;

// The defaults of print jobs. If neither a dot gain nor a measured curve is
// set, the correction follows from the technology and the resolution. If no
// black point is set, it is 0 on pages whose black is solid.
inline Look DefaultLookOfPrints() {
  Look look;
  look.black_point = kRenderersBlackPoint;
  look.text_edges = TextEdges::kSoft;
  look.print_feedback = 100;
  look.aim = ToneAim::kDisplay;
  return look;
}

// The sources of a setting. A setting has several, combined by |.
enum SettingSource : unsigned {
  kJobOption = 1,
  kPpdFile = 2,
  kConfiguration = 4,
  kCommandLine = 8,
  kLibraryOption = 16,  // of a program that links the C library
  kAllSources = 31,
  // The sources that know the printer.
  kAdministrator = kPpdFile | kConfiguration,
};

// A value that has a name.
struct Choice {
  std::string_view name;
  int value;
  bool is_in_dialogs = true;  // print dialogs offer it
};

// A name that another halftoner gives to one of our choices.
struct ForeignName {
  std::string_view name;
  std::string_view ours;
};

struct PrintSetting {
  // A number; a choice of numbers; a choice of names; a file.
  using Member =
      std::variant<double Look::*, int Look::*, TextEdges Look::*,
                   Technology Look::*, ToneAim Look::*,
                   DotShape::Outline Look::*, std::optional<Algorithm> Look::*,
                   std::string Look::*>;

  std::string_view name;     // in halftoned.conf; with -- on the command line
  std::string_view keyword;  // in PPD files
  std::string_view job_option;
  std::string_view short_job_option;  // empty: there is none
  Member member;
  unsigned sources;            // that can set it
  std::string_view help;       // a line
  double least = 0;            // of a number
  double most = 0;             // of a number
  bool is_whole = false;       // a number without fraction
  bool is_in_dialogs = false;  // printer models have it as an option
  bool is_automatic = false;   // for prints, unless it is set

  bool MayBeSetBy(SettingSource source) const {
    return (sources & source) != 0;
  }
  bool is_number() const {
    return std::holds_alternative<double Look::*>(member);
  }
  bool is_file() const {
    return std::holds_alternative<std::string Look::*>(member);
  }
  // A choice of numbers, such as levels.
  bool is_choice_of_numbers() const {
    return std::holds_alternative<int Look::*>(member);
  }
  // A member of Tone.
  bool is_of_tone() const;
  // "auto" is a value: the best is chosen.
  bool has_auto() const {
    return std::holds_alternative<std::optional<Algorithm> Look::*>(member);
  }

  // Empty for numbers and files. "auto" is not among them.
  std::vector<Choice> Choices() const;
  std::span<const ForeignName> ForeignNames() const;

  // "a number from 0.1 to 10", "laser or inkjet": for messages. `quote` is put
  // around names.
  std::string Values(std::string_view quote = "") const;
  // What a message says after Values() if `text` is not one of them: "; did you
  // mean 'fine'?", ", with a point for decimals" or nothing.
  std::string HintOn(std::string_view text) const;

  // Sets this setting in `look`. False, without any change, if the value is not
  // allowed.
  bool Set(std::string_view text, Look& look) const;
  // The same for a number or a choice of numbers.
  bool Set(double value, Look& look) const;
  // The same for values from CUPS: upper and lower case are the same, and
  // foreign names are valid.
  bool SetFromCups(std::string_view text, Look& look) const;

  // Copies this setting alone.
  void Copy(const Look& from, Look& to) const;
  // The value, as users write it.
  std::string TextOf(const Look& look) const;
};

inline constexpr PrintSetting kPrintSettings[] = {
    {.name = "halftone-type",
     .keyword = "cupsHalftoneType",
     .job_option = "halftone-type",
     .member = &Look::algorithm,
     .sources = kAllSources,
     .help = "How dots are placed",
     .is_in_dialogs = true},
    {.name = "cluster-size",
     .keyword = "halftonedClusterSize",
     .job_option = "halftone-cluster-size",
     .member = &Look::cluster_size,
     .sources = kAllSources,
     .help = "Dots per cluster, for clustered",
     .least = kMinClusterSize,
     .most = kMaxClusterSize,
     .is_whole = true},
    {.name = "screen-lpi",
     .keyword = "halftonedScreenLpi",
     .job_option = "halftone-screen-lpi",
     .short_job_option = "screen-lpi",
     .member = &Look::screen_lpi,
     .sources = kAllSources,
     .help = "Lines per inch, for screen, or 0 to suit the resolution",
     .least = 0,
     .most = 300},
    {.name = "screen-angle",
     .keyword = "halftonedScreenAngle",
     .job_option = "halftone-screen-angle",
     .short_job_option = "screen-angle",
     .member = &Look::screen_angle,
     .sources = kAllSources,
     .help = "Angle of the lines, for screen, in degrees counterclockwise",
     .least = 0,
     .most = 180},
    {.name = "screen-shape",
     .keyword = "halftonedScreenShape",
     .job_option = "halftone-screen-shape",
     .short_job_option = "screen-shape",
     .member = &Look::screen_shape,
     .sources = kAllSources,
     .help = "Shape of the dots, for screen"},
    {.name = "print-feedback",
     .keyword = "halftonedPrintFeedback",
     .job_option = "halftone-print-feedback",
     .member = &Look::print_feedback,
     .sources = kAllSources,
     .help = "Strength of print feedback, in percent, for fine and best",
     .least = 0,
     .most = 100},
    {.name = "min-run",
     .keyword = "halftonedMinRun",
     .job_option = "halftone-min-run",
     .short_job_option = "min-run",
     .member = &Look::min_run,
     .sources = kAllSources,
     .help = "Minimum length of black and white runs along a row, in pixels, "
             "for jarvis, stucki, burkes, sierra, atkinson and "
             "false-floyd-steinberg (which supports at most 3)",
     .least = 1,
     .most = 6,
     .is_whole = true},
    {.name = "text-edges",
     .keyword = "halftonedTextEdges",
     .job_option = "halftone-text-edges",
     .short_job_option = "text-edges",
     .member = &Look::text_edges,
     .sources = kAllSources,
     .help = "Which gray edges between black and white become sharp",
     .is_in_dialogs = true},
    {.name = "levels",
     .keyword = "halftonedLevels",
     .job_option = "halftone-levels",
     .member = &Look::levels,
     .sources = kAllSources,
     .help = "Gray levels of the output"},
    {.name = "technology",
     .keyword = "halftonedTechnology",
     .job_option = "",
     .member = &Look::technology,
     .sources = kAdministrator | kLibraryOption,
     .help = "How the printer makes its dots"},
    {.name = "tone-curve",
     .keyword = "halftonedToneCurve",
     .job_option = "",
     .member = &Look::tone_curve,
     .sources = kAdministrator | kCommandLine,
     .help = "File with lines 'input output', light from 0 to 255; replaces "
             "dot-gain"},
    {.name = "black-point",
     .keyword = "halftonedBlackPoint",
     .job_option = "halftone-black-point",
     .short_job_option = "black-point",
     .member = &Look::black_point,
     .sources = kAllSources,
     .help =
         "Lightest gray value, out of 255, that becomes black, such as 32 for "
         "CMYK that Ghostscript renders",
     .least = 0,
     .most = 63,
     .is_automatic = true},
    {.name = "contrast",
     .keyword = "halftonedContrast",
     .job_option = "halftone-contrast",
     .member = &Look::contrast,
     .sources = kAllSources,
     .help =
         "Percentage that increases the contrast of middle tones, or reduces "
         "it if negative",
     .least = -100,
     .most = 100,
     .is_in_dialogs = true},
    {.name = "brightness",
     .keyword = "halftonedBrightness",
     .job_option = "halftone-brightness",
     .member = &Look::brightness,
     .sources = kAllSources,
     .help = "Percentage that lightens the page, or darkens it if negative",
     .least = -100,
     .most = 100,
     .is_in_dialogs = true},
    {.name = "gamma",
     .keyword = "halftonedGamma",
     .job_option = "halftone-gamma",
     .member = &Look::gamma,
     .sources = kAllSources,
     .help =
         "Gamma, which lightens the page if above 1 and darkens it if below 1",
     .least = 0.1,
     .most = 10},
    {.name = "tone-aim",
     .keyword = "halftonedToneAim",
     .job_option = "halftone-tone-aim",
     .member = &Look::aim,
     .sources = kAllSources,
     .help = "Whether gray looks as it does on a display, or gray values are "
             "proportional to light"},
    {.name = "toner-save",
     .keyword = "halftonedTonerSave",
     .job_option = "halftone-toner-save",
     .short_job_option = "toner-save",
     .member = &Look::toner_save,
     .sources = kAllSources,
     .help = "Percentage of ink to save in tints and pictures",
     .least = 0,
     .most = 75,
     .is_in_dialogs = true},
    {.name = "dot-gain",
     .keyword = "halftonedDotGain",
     .job_option = "halftone-dot-gain",
     .short_job_option = "dot-gain",
     .member = &Look::dot_gain,
     .sources = kAllSources,
     .help = "Percentage by which the printer's dots darken the middle tone",
     .least = 0,
     .most = 45,
     .is_in_dialogs = true,
     .is_automatic = true},
};

// Null if there is none.
const PrintSetting* FindSetting(std::string_view name);

// The setting called `name`; an unknown name does not compile.
consteval const PrintSetting& SettingNamed(std::string_view name) {
  for (const PrintSetting& setting : kPrintSettings) {
    if (setting.name == name) return setting;
  }
  throw "there is no such setting";
}

// "a, b or c", with `quote` put around each.
std::string Listed(const std::vector<std::string_view>& names,
                   std::string_view quote = "");

// Whether all numbers are in their ranges.
Result<void> CheckNumbers(const Look& look);

}  // namespace halftoned
