// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/wire/daemon_side.h"

#include "wire/checksum.h"

namespace halftoned::testing {

using wire::FrameType;

void DaemonSide::Welcome() {
  SendFrame(FrameType::kWelcome, 0, Encode(wire::Welcome{7, "fake"}));
}

void DaemonSide::Serve(int bands, int evict_at) {
  for (;;) {
    if (unanswered > 0 && bands > 0) {
      SendNextAnswer();
      --bands;
    }
    if (bands == 0 || next_band == page.bands() || !Hear()) return;
    if (heard - 1 == evict_at) Evict();
  }
}

bool DaemonSide::Hear() {
  const auto frame = Receive();
  if (!frame) return false;
  ++heard;
  if (frame->header.type == FrameType::kOpen) {
    const auto open = wire::DecodeOpen(frame->payload);
    if (!open.ok()) return false;
    number = frame->header.page;
    unanswered = 0;
    for (next_band = 0; page.first_row(next_band) < open->page.first_row();) {
      ++next_band;
    }
  } else if (frame->header.type == FrameType::kBand &&
             frame->header.page == number) {
    ++unanswered;
  }
  return true;
}

bool DaemonSide::HearBand() {
  if (next_band == page.bands()) return false;
  while (unanswered == 0) {
    if (!Hear()) return false;
  }
  return true;
}

wire::Answer DaemonSide::NextAnswer() const {
  return {page.first_row(next_band), page.rows(next_band),
          wire::Checksum(page.bits(next_band))};
}

void DaemonSide::SendAnswer(const wire::Answer& answer, const Carry& carry,
                            wire::View bits) {
  SendFrame(FrameType::kAnswer, number, Encode(answer, &carry), bits);
}

void DaemonSide::SendNextAnswer() {
  const bool has_carry =
      page.rows(next_band) > 0 || next_band + 1 == page.bands();
  SendFrame(FrameType::kAnswer, number,
            Encode(NextAnswer(), has_carry ? &page.below(next_band) : nullptr),
            page.bits(next_band));
  --unanswered;
  ++next_band;
}

void DaemonSide::SendFailed(uint32_t about) {
  SendFrame(
      FrameType::kFailed, about,
      Encode(wire::Failed{wire::FailureCode::kUnavailable, "out of toner"}));
}

void DaemonSide::Evict() {
  SendFrame(FrameType::kEvicted, number, {});
  number = 0;
  unanswered = 0;
}

}  // namespace halftoned::testing
