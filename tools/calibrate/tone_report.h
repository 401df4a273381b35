// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a calibration shows to people: a table and a picture of tones.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "calibrate/sheet/sheet_curve.h"
#include "halftone/page/tone_curve.h"

namespace halftoned {

// printed: the light of each tone, 0 … 255, without the curve.
std::vector<double> WithCurve(const std::vector<double>& printed,
                              const ToneCurve& curve);

// A line of JSON. before and after: as below. curve: the file it was written
// to; empty if there is none.
std::string JsonOfRead(const SheetReading& reading,
                       const std::vector<double>& before,
                       const std::vector<double>& after,
                       const std::string& curve);
// The same for a second chart.
std::string JsonOfVerify(const SheetReading& reading);

// Lines for some tones: asked for, printed, and expected.
std::string BeforeAndAfter(const std::vector<double>& before,
                           const std::vector<double>& after);
// Lines for some tones of a second chart.
std::string AskedAndPrinted(const SheetReading& reading);

// "mean 1.2, worst 3.4 of 255"
std::string WordsOf(const Residual& residual);
// The words for expected errors only.
std::string ExpectedWordsOf(const Residual& residual);

// A PNG file: tones asked for from left to right, printed tones upwards; after
// in black, before in gray. Errors begin with the name of the file.
Result<void> DrawTones(const std::string& path,
                       const std::vector<double>& before,
                       const std::vector<double>& after, bool may_replace);

}  // namespace halftoned
