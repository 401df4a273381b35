// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage of text edges as tests see it: pages in, pages out.

#pragma once

#include <cstdint>
#include <vector>

#include "halftone/cpu/simd/bits/pure_bits.h"
#include "halftone/look/settings.h"
#include "halftone/page/tone_curve.h"
#include "tests/halftone/look/edges_definition.h"

namespace halftoned {

constexpr TextEdges kAllEdges[] = {TextEdges::kCrisp, TextEdges::kSoft,
                                   TextEdges::kBarcode};

// Those that rise and those that fall.
std::vector<ToneCurve> Curves();

// The resulting page, with bands of this many rows.
SamplePage Through(const SamplePage& image, const ToneCurve& curve,
                   TextEdges edges, int32_t band, int32_t rows_at_once,
                   const simd::PureKernels& kernels,
                   bool darkens_strokes = false);

// Without a curve, and with the fastest kernels.
SamplePage Through(const SamplePage& image, TextEdges edges, int32_t band = 64);

// Expects the same page from bands of any height. True if edges change it.
bool IsChangedInAnyBands(const SamplePage& image, TextEdges edges);

// With every kind of edges, with and without darkened strokes, and the kernels
// of every processor in turn.
void ExpectAsDefined(const SamplePage& image, const ToneCurve& curve,
                     int32_t band, int32_t rows_at_once);

}  // namespace halftoned
