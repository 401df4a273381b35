// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The daemon's end of a connection, driven by a test, which follows the
// protocol for as long as it likes. Without a ring, bits travel in tails.

#pragma once

#include <utility>

#include "tests/wire/raw_peer.h"
#include "tests/wire/sample_page.h"

namespace halftoned::testing {

class DaemonSide : public RawPeer {
 public:
  DaemonSide(Descriptor socket, const SamplePage& sample)
      : RawPeer(std::move(socket)), page(sample) {}

  void Welcome();
  // Answers `bands` bands, or until the client hangs up. Evicts the page at the
  // client's frame number `evict_at`, counted from 0.
  void Serve(int bands, int evict_at = -1);
  // Receives the next frame of a page; false if the client hangs up.
  bool Hear();
  // Receives frames until there is an unanswered band; false if there is none
  // to come.
  bool HearBand();

  // The right answer to the next band, to send or to corrupt.
  wire::Answer NextAnswer() const;
  void SendAnswer(const wire::Answer& answer, const Carry& carry,
                  wire::View bits);
  void SendNextAnswer();
  void SendFailed(uint32_t about);
  void Evict();

  // Until the client hangs up.
  void WaitForEnd() {
    while (Receive()) continue;
  }

  const SamplePage& page;
  uint32_t number = 0;  // of the open page; 0: none
  int next_band = 0;
  int unanswered = 0;
  int heard = 0;  // frames
};

}  // namespace halftoned::testing
