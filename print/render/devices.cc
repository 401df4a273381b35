// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/devices.h"

#include <algorithm>
#include <iterator>

namespace halftoned {
namespace {

// Each has one bit for each dot (cups, as long as nothing else is asked of it),
// but pxlmono, which hands images on as they are. By name.
constexpr std::string_view kDots[] = {
    "ap3250",   "appledmp", "bj10e",    "bj10v",    "bj10vh",  "bj200",
    "cups",     "deskjet",  "djet500",  "eps9high", "eps9mid", "epson",
    "escpage",  "gdi",      "hl1240",   "hl1250",   "hl7x0",   "ibmpro",
    "iwhi",     "iwlo",     "iwlq",     "la50",     "la70",    "la75",
    "la75plus", "laserjet", "lbp310",   "lbp320",   "lbp8",    "lips2p",
    "lips3",    "lips4",    "lj5mono",  "ljet2p",   "ljet3",   "ljet3d",
    "ljet4",    "ljet4d",   "ljet4pjl", "ljetplus", "ln03",    "lp2563",
    "lq850",    "m8510",    "necp6",    "npdl",     "oce9050", "oki182",
    "oki4w",    "okiibm",   "lp2000",   "lp8000",   "ml600",   "imagen",
    "pbm",      "pbmraw",   "pxlmono",  "r4081",    "rpdl",    "samsunggdi",
    "sj48",     "st800",    "xes"};

// Those that dither gray, or leave that to the printer, have a sibling for the
// same printers that does not.
struct Sibling {
  std::string_view name;
  Device device;
};
constexpr Sibling kSiblings[] = {
    {"lj4dith", {DeviceKind::kDots, "ljet4", true}},
    {"lj4dithp", {DeviceKind::kDots, "ljet4", true}},
    {"lj5gray", {DeviceKind::kDots, "lj5mono"}}};

constexpr std::string_view kDocuments[] = {"bbox",     "eps2write", "nullpage",
                                           "pdfwrite", "ps2write",  "pswrite",
                                           "txtwrite"};

template <size_t kCount>
bool Has(const std::string_view (&names)[kCount], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

}  // namespace

Device DeviceNamed(std::string_view name) {
  if (Has(kDots, name)) return {DeviceKind::kDots, name};
  if (Has(kDocuments, name)) return {DeviceKind::kDocument, name};
  const auto sibling = std::ranges::find(kSiblings, name, &Sibling::name);
  if (sibling != std::end(kSiblings)) return sibling->device;
  return {DeviceKind::kUnknown, name};
}

}  // namespace halftoned
