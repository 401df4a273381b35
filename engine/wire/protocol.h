// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a client and halftoned say to each other, over a Unix stream socket:
// the one description of it, shared by both. Values and limits only; codec.h
// turns them into bytes and back, and no function here or there does I/O.
//
//   conversation = hello ( refused | welcome { client | worker } )
//   hello        = Hello, as kHelloBytes bytes
//   refused      = Failed of no page, and the end
//   client       = { ring | page }
//   ring         = Ring, with two descriptors; it takes the last one's place
//   page         = Open { band }
//   band         = Band [ gray ]        the gray itself, where there is no ring
//   worker       = { Answer [ bits ] | Failed | Evicted }
//
// Every word but the hello is a frame: a header of kHeaderBytes, then the
// payload that it announces. All numbers are little-endian.
//
//   header = magic:u32 version:u16 type:u16 sequence:u32 page:u32 length:u32
//            tail:u32 payload_checksum:u32 header_checksum:u32
//
// `length` is the payload's, `tail` that of the gray or the bits behind it.
// `sequence` counts a direction's frames from 0 on. `page` is the client's
// number of the page, rising from 1 on, or 0 in a frame that is about none. One
// page is open at a time: from its Open until the answer to its last band, its
// Failed or its Evicted. To give a page up, the client ends the connection;
// pages at the same time take a connection each.
//
// The client may have kBandsInFlight bands that have no answer; the worker
// keeps room for as many answers, and neither blocks in a write while there is
// something to read. Nothing of this needs leave: where the worker cannot serve
// a page, it answers Failed, and drops what more it gets of that page.
//
// A ring is two files in memory, made by the client for this connection alone,
// with all their memory, and sealed so that nobody can shrink them under the
// other: one of gray, which the client writes, and has sealed so that no worker
// ever could; one of bits, which the worker writes, and seals so when it has
// them. A Band says where its gray lies and where its bits shall be. That
// memory is the worker's until it answers, the client's from then on.
//
// An Answer carries the state below its rows (carry.h): with it, any worker, or
// the client itself, can go on. Evicted says that the worker has forgotten a
// page that had long been idle, and every band of it without an answer; it is
// no failure, and the client may open the page again where it stands, here or,
// if the worker has left since, on another connection.

#ifndef HALFTONED_WIRE_PROTOCOL_H_
#define HALFTONED_WIRE_PROTOCOL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "halftone/carry.h"
#include "halftone/page.h"
#include "halftone/recipe.h"

namespace halftoned::wire {

inline constexpr uint32_t kMagic = 0x314e5448;       // "HTN1"
inline constexpr uint32_t kHelloMagic = 0x4c455448;  // "HTEL"
// Of all of this. A change of any of it is a new version, and a worker that
// does not speak a client's version refuses it.
inline constexpr uint16_t kVersion = 1;

inline constexpr size_t kHeaderBytes = 32;
inline constexpr size_t kHelloBytes = 512;
inline constexpr int kBandsInFlight = 6;

// Enough for the carry of the widest page in four planes.
inline constexpr uint32_t kMaxPayloadBytes = uint32_t{4} << 20;
// The gray or the bits of a band where there is no ring.
inline constexpr uint32_t kMaxTailBytes = uint32_t{64} << 20;
// Each file of a ring.
inline constexpr uint64_t kMaxRingBytes = uint64_t{256} << 20;
// Gray and bits of a band begin at a multiple of this in their files.
inline constexpr uint64_t kRingAlignment = 64;
inline constexpr size_t kMaxMessageBytes = 1024;  // of a Failed

enum class FrameType : uint16_t {
  // From the client.
  kRing = 1,
  kOpen = 2,
  kBand = 3,
  // From the worker, kFailed from the supervisor too.
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
  uint32_t tail = 0;    // bytes behind it: at most kMaxTailBytes
  uint32_t payload_checksum = 0;
};

// Who comes, and what for, by which a worker is chosen. It says nothing that
// decides whether he may: that is for the socket's mode and his credentials.
struct Hello {
  static constexpr size_t kMaxPrinterBytes = 127;
  static constexpr size_t kMaxTitleBytes = 255;

  uint16_t version = kVersion;
  uint32_t job = 0;             // as CUPS numbers it; 0: no job
  uint32_t wanted_worker = 0;   // by its number; 0: any
  uint32_t avoided_worker = 0;  // by its number; 0: none
  std::string printer;          // UTF-8 without control characters
  std::string title;
  uint32_t recipe_kind = 0;  // of his pages, by KindOf (recipe.h); 0: any
};

// The worker's: it has taken the connection over.
struct Welcome {
  static constexpr size_t kMaxEngineBytes = 31;

  uint32_t worker = 0;  // its number, from 1 on, never used again
  std::string engine;   // that it prefers
  // Of gray that suit it in a band; 0: any number. The client decides.
  uint32_t band_bytes = 0;
};

// Bytes of the two files, in the order of their descriptors.
struct Ring {
  uint64_t gray_bytes = 0;  // 1 … kMaxRingBytes
  uint64_t bits_bytes = 0;
};

// Begins a page, or goes on with it at `page.first_row()`.
struct Open {
  Page page;
  Recipe recipe;
  std::optional<Carry> carry;
  int32_t rows_per_band;  // the most that a band has
};

// The next rows of the page.
struct Band {
  int32_t rows = 0;  // 0 only in the last
  bool last = false;
  // Where the rows lie in the ring's file of gray, one after another without
  // padding, and where their bits shall lie; 0 without a ring.
  uint64_t gray_offset = 0;
  uint64_t bits_offset = 0;
  // Of the gray in the tail; 0 with a ring, whose gray nobody else can change.
  uint32_t gray_checksum = 0;
};

// Finished rows: the answer to the oldest band that had none. Its payload goes
// on with the carry as Carry::Save writes it.
struct Answer {
  int64_t first_row = 0;
  int32_t rows = 0;
  uint32_t bits_checksum = 0;  // of the rows, in the tail or in the ring
};

// Why, as far as the client's next step depends on it.
enum class FailureCode : uint32_t {
  kUnavailable = 1,  // this worker cannot, or not now
  kProtocol = 2,     // what the client sent is not what is written here
};

struct Failed {
  FailureCode code{};
  std::string message;  // one line
};

}  // namespace halftoned::wire

#endif  // HALFTONED_WIRE_PROTOCOL_H_
