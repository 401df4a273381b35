// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The protocol between a client and halftoned, over a Unix stream socket: its
// only description, shared by both. It has values and limits; codec.h turns
// them into bytes and back. Neither does I/O.
//
// clang-format off
//   conversation = hello ( refused | welcome { client | worker } )
//   hello        = Hello, as kHelloBytes bytes
//   refused      = Failed without a page, then the end
//   client       = { ring | page }
//   ring         = Ring, with two descriptors; replaces an earlier ring
//   page         = Open { band }
//   band         = Band [ gray ]        the gray itself, if there is no ring
//   worker       = { Answer [ bits ] | Failed | Evicted }
// clang-format on
//
// Everything except the hello is a frame: a header of kHeaderBytes, then the
// payload that it announces. All numbers are little-endian.
//
//   header = magic:u32 version:u16 type:u16 sequence:u32 page:u32 length:u32
//            tail:u32 payload_checksum:u32 header_checksum:u32
//
// `length` is the size of the payload, `tail` that of the gray or bits after
// it. `sequence` counts the frames of a direction from 0. `page` is the
// client's number of the page, rising from 1, or 0 in a frame that concerns no
// page. One page is open at a time: from its Open until the answer to its last
// band, its Failed or its Evicted. To abandon a page, the client closes the
// connection. Simultaneous pages need a connection each.
//
// The client may have kBandsInFlight unanswered bands; the worker keeps room
// for as many answers. Neither side blocks in a write while there is something
// to read. The client sends without waiting for permission: a worker that
// cannot serve a page answers Failed and discards further frames of that page.
// Until the client has read this answer, the worker need not receive from it.
//
// A ring is two files in memory that the client makes for this connection, of
// the announced sizes, without holes (memory that has been allocated but never
// touched is a hole), and sealed so that neither side can resize them.
// The client writes the file of gray and seals it so that no worker can. The
// worker writes the file of bits and seals it likewise when it receives it. A
// Band says where its gray lies and where its bits go. That memory belongs to
// the worker until it answers, and to the client afterwards. The bits of
// unanswered bands do not overlap.
//
// An Answer has the rows that its band finishes: the band's own rows or, with a
// recipe that looks ahead (Lag, method.h), rows that follow from the recipe and
// from the bands sent so far (Recipe::FirstUnanswered). Their number is from 0
// to Recipe::most_waiting_rows() more than the band has, for which its bits
// have room. By then the worker has read the band's gray; the client keeps the
// rows that wait, so that another engine can go on.
//
// An Answer also has the carry below its rows (carry.h), with which any worker,
// or the client itself, can continue. Except for the last, an answer without
// rows has none, since the carry has not changed. Evicted means that the worker
// has dropped an idle page with all its unanswered bands. This is not a
// failure: the client may open the page again where it stands, here or, if the
// worker has left since, on another connection.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "halftone/page/carry.h"
#include "halftone/page/page.h"
#include "halftone/page/recipe.h"

namespace halftoned::wire {

inline constexpr uint32_t kMagic = 0x314e5448;       // "HTN1"
inline constexpr uint32_t kHelloMagic = 0x4c455448;  // "HTEL"
// The version of all of this; any change makes a new one. A worker refuses
// clients of another version.
inline constexpr uint16_t kVersion = 3;

inline constexpr size_t kHeaderBytes = 32;
inline constexpr size_t kHelloBytes = 512;
inline constexpr int kBandsInFlight = 6;

// Enough for the largest carry of the widest page, and a recipe.
inline constexpr uint32_t kMaxPayloadBytes =
    uint32_t{Method::kMaxPlanes} * Page::kMaxWidth * sizeof(int16_t) +
    (uint32_t{1} << 16);
// The gray or the bits of a band without a ring.
inline constexpr uint32_t kMaxTailBytes = uint32_t{64} << 20;
// A client that needs larger rings for later pages may send this many.
inline constexpr int kMaxRings = 64;
// The largest file of a ring.
inline constexpr uint64_t kMaxRingBytes = uint64_t{256} << 20;
// Gray and bits of a band begin at a multiple of this in their files.
inline constexpr uint64_t kRingAlignment = 64;
inline constexpr size_t kMaxMessageBytes = 1024;  // of a Failed

enum class FrameType : uint16_t {
  // Sent by the client.
  kRing = 1,
  kOpen = 2,
  kBand = 3,
  // Sent by the worker; kFailed by the supervisor too.
  kWelcome = 16,
  kAnswer = 17,
  kFailed = 18,
  kEvicted = 19,
};

struct Header {
  FrameType type{};
  uint32_t sequence = 0;
  uint32_t page = 0;
  uint32_t length = 0;  // bytes of the payload: at most kMaxPayloadBytes
  uint32_t tail = 0;    // bytes after it: at most kMaxTailBytes
  uint32_t payload_checksum = 0;
};

// Describes the client and its job, to choose a worker. It grants nothing:
// access depends on the socket's mode and the client's credentials.
struct Hello {
  static constexpr size_t kMaxPrinterBytes = 127;
  static constexpr size_t kMaxTitleBytes = 255;

  uint16_t version = kVersion;
  uint32_t job = 0;             // as CUPS numbers it; 0: no job
  uint32_t wanted_worker = 0;   // a worker's number; 0: any
  uint32_t avoided_worker = 0;  // a worker's number; 0: none
  std::string printer;          // UTF-8 without control characters
  std::string title;
  uint32_t recipe_kind = 0;  // of its pages, by KindOf (recipe.h); 0: any
};

// A worker has taken over the connection.
struct Welcome {
  static constexpr size_t kMaxEngineBytes = 31;

  uint32_t worker = 0;  // its number, from 1; never used again
  std::string engine;   // the engine that it prefers
  // The preferred bytes of gray in a band; 0: any number. The client decides.
  uint32_t band_bytes = 0;
};

// Bytes of the two files, in the order of their descriptors.
struct Ring {
  uint64_t gray_bytes = 0;  // 1 … kMaxRingBytes
  uint64_t bits_bytes = 0;
};

// Begins a page, or continues it at `page.first_row()`.
struct Open {
  Page page;
  Recipe recipe;
  std::optional<Carry> carry;
  int32_t rows_per_band;  // the most rows of a band
};

// The next rows of the page.
struct Band {
  int32_t rows = 0;  // 0 only in the last band
  bool last = false;
  // Where the rows lie in the ring's file of gray, without padding, and where
  // their bits go in the file of bits; 0 without a ring.
  uint64_t gray_offset = 0;
  uint64_t bits_offset = 0;
  // The checksum of the gray in the tail; 0 with a ring, whose gray only the
  // client can change.
  uint32_t gray_checksum = 0;
};

// Finished rows: the answer to the oldest unanswered band. The payload
// continues with the carry, as Carry::Save writes it, if there is one.
struct Answer {
  int64_t first_row = 0;
  int32_t rows = 0;
  uint32_t bits_checksum = 0;  // of the rows, in the tail or in the ring
};

// The reason, as far as the client's next step depends on it.
enum class FailureCode : uint32_t {
  kUnavailable = 1,  // this worker cannot serve it, at least not now
  kProtocol = 2,     // the client broke this protocol
};

struct Failed {
  FailureCode code{};
  std::string message;  // one line
};

}  // namespace halftoned::wire
