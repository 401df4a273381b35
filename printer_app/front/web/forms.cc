// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/web/forms.h"

#include <algorithm>

#include "base/text.h"
#include "printer_app/front/rules/texts.h"

namespace halftoned {
namespace {

std::string Decode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
        HexDigit(text[i + 2]) >= 0) {
      decoded +=
          static_cast<char>(HexDigit(text[i + 1]) << 4 | HexDigit(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i] == '+' ? ' ' : text[i];
    }
  }
  return OneLine(std::move(decoded));
}

bool IsPlain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
}

std::string Encode(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (IsPlain(c)) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += '%';
    encoded += kDigits[byte >> 4];
    encoded += kDigits[byte & 15];
  }
  return encoded;
}

}  // namespace

WebForm ParseForm(std::string_view body) {
  WebForm form;
  while (!body.empty()) {
    const size_t end = std::min(body.find('&'), body.size());
    const std::string_view field = body.substr(0, end);
    const size_t equals = std::min(field.find('='), field.size());
    if (!field.empty()) {
      form[LowerCase(Decode(field.substr(0, equals)))] =
          Decode(field.substr(std::min(equals + 1, field.size())));
    }
    body.remove_prefix(std::min(end + 1, body.size()));
  }
  return form;
}

std::string WriteForm(const WebForm& form) {
  std::string body;
  for (const auto& [name, value] : form) {
    if (!body.empty()) body += '&';
    body += Encode(name) + '=' + Encode(value);
  }
  return body;
}

std::string FieldOf(const WebForm& form, std::string_view name) {
  const auto found = form.find(name);
  return found == form.end() ? "" : found->second;
}

std::string HtmlOf(std::string_view text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

}  // namespace halftoned
