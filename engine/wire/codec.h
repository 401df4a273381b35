// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages of protocol.h to bytes and back. Decoding trusts nothing: it
// checks each size, range and text once, and an error names the fault. No I/O.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "wire/protocol.h"

namespace halftoned::wire {

using Bytes = std::vector<std::byte>;
using View = std::span<const std::byte>;

// The hello, which is not a frame. Texts are cleaned and cut to fit. From a
// hello of another version, only the version is decoded.
std::array<std::byte, kHelloBytes> EncodeHello(const Hello& hello);
Result<Hello> DecodeHello(std::span<const std::byte, kHelloBytes> bytes);

// A whole frame without its tail of `tail` bytes.
Bytes EncodeFrame(FrameType type, uint32_t sequence, uint32_t page,
                  View payload, uint32_t tail = 0);
Result<Header> DecodeHeader(std::span<const std::byte, kHeaderBytes> bytes);
Result<void> CheckPayload(const Header& header, View payload);

// Payloads. Checks that need the state of a page are the caller's.
Bytes Encode(const Welcome& welcome);
Bytes Encode(const Ring& ring);
Bytes Encode(const Open& open);
Bytes Encode(const Band& band);
// carry: null if the answer has none.
Bytes Encode(const Answer& answer, const Carry* carry);
Bytes Encode(const Failed& failed);

Result<Welcome> DecodeWelcome(View payload);
Result<Ring> DecodeRing(View payload);
// kUnavailable for a recipe that this build does not know, otherwise kBadInput.
Result<Open> DecodeOpen(View payload);
Result<Band> DecodeBand(View payload);
Result<Answer> DecodeAnswer(View payload);
// The carry after the Answer, if there is one, for a page that begins below the
// answer's rows.
Result<std::optional<Carry>> DecodeCarry(View payload, const Recipe& recipe,
                                         const Page& below);
Result<Failed> DecodeFailed(View payload);

}  // namespace halftoned::wire
