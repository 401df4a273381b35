// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/web/offered.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/text.h"

namespace halftoned {
namespace {

constexpr std::string_view kCustom = "custom";
constexpr std::string_view kSize = "-size";

// Values of a field that a page offers.
struct Offer {
  bool is_number = false;
  double least = 0;
  double most = std::numeric_limits<double>::max();
  std::set<std::string> values;
};
using Offers = std::map<std::string, Offer>;

std::string TextOfHtml(std::string_view html) {
  std::string text;
  while (!html.empty()) {
    std::string_view taken = html.substr(0, 1);
    char c = html[0];
    for (const char each : {'&', '<', '>', '"'}) {
      const std::string coded = HtmlOf({&each, 1});
      if (!html.starts_with(coded)) continue;
      taken = html.substr(0, coded.size());
      c = each;
    }
    text += c;
    html.remove_prefix(taken.size());
  }
  return text;
}

// Empty if the tag has none of this name. tag: without its brackets.
std::string Attribute(std::string_view tag, const std::string& name) {
  const std::string start = ' ' + name + "=\"";
  const size_t at = tag.find(start);
  if (at == tag.npos) return "";
  tag.remove_prefix(at + start.size());
  return TextOfHtml(tag.substr(0, tag.find('"')));
}

// "nan" is none.
std::optional<double> DecimalIn(std::string_view text) {
  const auto number = ParseNumber<double>(text, std::chars_format::fixed);
  return number == number ? number : std::nullopt;
}

void TakeInput(std::string_view tag, Offers& offers) {
  const std::string name = LowerCase(Attribute(tag, "name"));
  const std::string type = Attribute(tag, "type");
  if (type == "radio") offers[name].values.insert(Attribute(tag, "value"));
  if (type != "number") return;
  Offer& offer = offers[name];
  offer.is_number = true;
  offer.least = DecimalIn(Attribute(tag, "min")).value_or(offer.least);
  offer.most = DecimalIn(Attribute(tag, "max")).value_or(offer.most);
}

Offers OffersOf(std::string_view page) {
  Offers offers;
  std::string list;
  for (size_t at = page.find('<'); at != page.npos; at = page.find('<')) {
    page.remove_prefix(at + 1);
    const std::string_view tag = page.substr(0, page.find('>'));
    if (tag.starts_with("select ")) {
      list = LowerCase(Attribute(tag, "name"));
      offers[list];
    } else if (tag.starts_with("option ")) {
      offers[list].values.insert(Attribute(tag, "value"));
    } else if (tag.starts_with("input ")) {
      TakeInput(tag, offers);
    }
  }
  return offers;
}

bool IsOffered(const std::string& value, const Offer& offer) {
  if (!offer.is_number) return offer.values.contains(value);
  const auto number = DecimalIn(value);
  return value.empty() || (number >= offer.least && number <= offer.most);
}

}  // namespace

std::string WhatIsNotOffered(const WebForm& form, std::string_view page) {
  const Offers offers = OffersOf(page);
  for (const auto& [name, value] : form) {
    const auto offer = offers.find(name);
    if (offer == offers.end()) continue;
    if (!IsOffered(value, offer->second)) {
      return "The page does not offer this value of " + name + '.';
    }
    if (value != kCustom || !name.ends_with(kSize)) continue;
    const std::string stem =
        name.substr(0, name.size() - kSize.size()) + "-custom-";
    for (const auto& [part, its_offer] : offers) {
      if (part.starts_with(stem) && FieldOf(form, part).empty()) {
        return "A custom size needs " + part + '.';
      }
    }
  }
  return "";
}

}  // namespace halftoned
