// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of a calibration: a table and a picture of tones.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "calibrate/sheet/sheet_curve.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

// The light of each tone with the curve. printed: the light of each tone, 0 …
// 255, without it.
std::vector<double> WithCurve(const std::vector<double>& printed,
                              const ToneCurve& curve);

// A line of JSON. before, after: as for BeforeAndAfter. curve: the file of the
// curve; empty if none was written.
std::string JsonOfRead(const SheetReading& reading,
                       const std::vector<double>& before,
                       const std::vector<double>& after,
                       const std::string& curve);
// The same for a second chart.
std::string JsonOfVerify(const SheetReading& reading);

// Lines for some tones: requested, printed, and expected.
std::string BeforeAndAfter(const std::vector<double>& before,
                           const std::vector<double>& after);
// Lines for some tones of a second chart: requested and printed.
std::string AskedAndPrinted(const SheetReading& reading);

// "mean 1.2, worst 3.4 of 255"
std::string WordsOf(const Residual& residual);
// The words for expected errors only.
std::string ExpectedWordsOf(const Residual& residual);

// Writes a PNG file: requested tones from left to right, printed tones upward;
// `after` in black, `before` in gray. Errors begin with the name of the file.
Result<void> DrawTones(const std::string& path,
                       const std::vector<double>& before,
                       const std::vector<double>& after, bool may_replace);

}  // namespace halftoned
