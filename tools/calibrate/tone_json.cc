// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/json.h"
#include "calibrate/tone_report.h"

namespace halftoned {
namespace {

double Rounded(double number) { return RoundedTo(100, number); }

Json Head(const SheetInfo& info) {
  return {{"queue", info.queue},
          {"halftone_type", info.type},
          {"dpi", info.resolution}};
}

Json JsonOf(const Residual& residual) {
  return {{"mean", Rounded(residual.mean)}, {"worst", Rounded(residual.worst)}};
}

}  // namespace

std::string JsonOfRead(const SheetReading& reading,
                       const std::vector<double>& before,
                       const std::vector<double>& after,
                       const std::string& curve) {
  Json json = Head(reading.info);
  for (size_t tone = 0; tone < before.size(); ++tone) {
    json["tones"].push_back({{"requested", tone},
                             {"printed", Rounded(255 * before[tone])},
                             {"corrected", Rounded(255 * after[tone])}});
  }
  json["error"] = JsonOf(ResidualOf(reading));
  const Residual expected = ExpectedResidual(reading);
  json["expected_error"] = JsonOf(expected);
  json["expected_error"]["mean_limit"] = Rounded(expected.mean_limit);
  json["curve"] = curve;
  return JsonLine(json);
}

std::string JsonOfVerify(const SheetReading& reading) {
  Json json = Head(reading.info);
  for (const ToneReading& tone : reading.tones) {
    json["tones"].push_back(
        {{"requested", tone.tone}, {"printed", Rounded(255 * tone.light)}});
  }
  json["error"] = JsonOf(ResidualOf(reading));
  return JsonLine(json);
}

}  // namespace halftoned
