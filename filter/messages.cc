// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/messages.h"

#include <algorithm>
#include <string>

#include "base/descriptor.h"

namespace halftoned {

void Messages::Say(std::string_view severity, std::string_view text) {
  constexpr size_t kMaxText = 512;  // bytes; cupsd takes lines of 2,048
  std::string line = std::string(severity) + ": ";
  line += text.substr(0, kMaxText);
  std::ranges::replace_if(
      line,
      [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7f;
      },
      ' ');
  line += '\n';
  // One write, so that lines of two processes do not mix. There is nobody to
  // tell when it fails.
  (void)WriteFully(fd_, std::as_bytes(std::span(line)));
}

void Messages::Page(int64_t number, uint32_t copies) {
  // cupsd counts in an int and knows no more than 9999 copies.
  Say("PAGE", std::to_string(number) + " " +
                  std::to_string(std::clamp<uint32_t>(copies, 1, 9999)));
}

void Messages::Progress(int percent) {
  Say("ATTR", "job-media-progress=" + std::to_string(percent));
}

void Messages::Reason(std::string_view keyword, bool holds) {
  Say("STATE", std::string(holds ? "+" : "-").append(keyword));
}

}  // namespace halftoned
