// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a calibration shows people: a table of tones, and a picture of them.

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
// The same of a second sheet.
std::string JsonOfVerify(const SheetReading& reading);

// Lines for some tones: what was asked for, what was printed, what is expected.
std::string BeforeAndAfter(const std::vector<double>& before,
                           const std::vector<double>& after);
// Lines for some tones of a second sheet.
std::string AskedAndPrinted(const SheetReading& reading);

// "mean 1.2, worst 3.4 of 255"
std::string WordsOf(const Residual& residual);
// The words of what is expected only.
std::string ExpectedWordsOf(const Residual& residual);

// A PNG file: what is asked for from left to right, what is printed upwards,
// black after and gray before. Errors begin with the name of the file.
Result<void> DrawTones(const std::string& path,
                       const std::vector<double>& before,
                       const std::vector<double>& after, bool may_replace);

}  // namespace halftoned
