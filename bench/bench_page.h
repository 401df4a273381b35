// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages for speed benches.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "halftone/page/page.h"

namespace halftoned::bench {

enum class Content { kNoise, kPhoto, kRamp, kText };
std::string_view NameOf(Content content);

// Samples of `rows` rows, without padding.
std::vector<std::byte> MakeSamples(const Page& page, int32_t rows,
                                   Content content);

}  // namespace halftoned::bench
