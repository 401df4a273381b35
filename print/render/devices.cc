// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/render/devices.h"

#include <algorithm>
#include <iterator>

namespace halftoned {
namespace {

// Each prints a bitmap with one bit per dot and omits no dot (cups, if nothing
// else is asked of it); pxlmono hands images on unchanged.
// tests/system/adopt/gs_devices_test.py proves it. By name, with the resolution
// at which the device prints if the command line names none.
struct Dots {
  std::string_view name;
  std::string_view resolution;
};
constexpr Dots kDots[] = {
    {"ap3250", "360x360"},   {"appledmp", "120x72"},    {"bj10e", "360x360"},
    {"bj10v", "360x360"},    {"bj10vh", "360x360"},     {"bj200", "360x360"},
    {"cups", "100x100"},     {"deskjet", "300x300"},    {"djet500", "300x300"},
    {"eps9high", "240x216"}, {"epson", "240x72"},       {"escpage", "300x300"},
    {"gdi", "600x600"},      {"hl1240", "600x600"},     {"hl1250", "1200x600"},
    {"hl7x0", "300x300"},    {"ibmpro", "240x72"},      {"imagen", "300x300"},
    {"iwhi", "160x144"},     {"iwlo", "160x72"},        {"iwlq", "320x216"},
    {"la50", "144x72"},      {"la70", "144x144"},       {"la75", "144x72"},
    {"la75plus", "180x180"}, {"laserjet", "300x300"},   {"lbp310", "600x600"},
    {"lbp320", "600x600"},   {"lbp8", "300x300"},       {"lips2p", "240x240"},
    {"lips3", "300x300"},    {"lips4", "600x600"},      {"lj5mono", "600x600"},
    {"ljet2p", "300x300"},   {"ljet3", "300x300"},      {"ljet3d", "300x300"},
    {"ljet4", "600x600"},    {"ljet4d", "600x600"},     {"ljet4pjl", "600x600"},
    {"ljetplus", "300x300"}, {"ln03", "300x300"},       {"lp2000", "300x300"},
    {"lp2563", "300x300"},   {"lp8000", "300x300"},     {"ml600", "600x600"},
    {"npdl", "240x240"},     {"oce9050", "400x400"},    {"oki182", "72x72"},
    {"oki4w", "300x300"},    {"okiibm", "120x72"},      {"pbm", "72x72"},
    {"pbmraw", "72x72"},     {"pxlmono", "600x600"},    {"r4081", "300x300"},
    {"rpdl", "240x240"},     {"samsunggdi", "600x600"}, {"sj48", "360x360"},
    {"st800", "360x360"},    {"xes", "300x300"}};

// A device that dithers gray, or leaves that to the printer, has a sibling for
// the same printers that does not.
struct Sibling {
  std::string_view name;
  std::string_view for_dots;
  bool ignores_trays;
};
constexpr Sibling kSiblings[] = {{"lj4dith", "ljet4", true},
                                 {"lj4dithp", "ljet4", true},
                                 {"lj5gray", "lj5mono", false}};

constexpr std::string_view kDocuments[] = {"bbox",     "eps2write", "nullpage",
                                           "pdfwrite", "ps2write",  "pswrite",
                                           "txtwrite"};

}  // namespace

Device DeviceNamed(std::string_view name) {
  if (std::ranges::find(kDocuments, name) != std::end(kDocuments)) {
    return {DeviceKind::kDocument, name};
  }
  const auto* const sibling =
      std::ranges::find(kSiblings, name, &Sibling::name);
  const bool has_sibling = sibling != std::end(kSiblings);
  const auto* const dots = std::ranges::find(
      kDots, has_sibling ? sibling->for_dots : name, &Dots::name);
  if (dots == std::end(kDots)) return {DeviceKind::kUnknown, name};
  return {DeviceKind::kDots, dots->name, dots->resolution,
          has_sibling && sibling->ignores_trays};
}

}  // namespace halftoned
