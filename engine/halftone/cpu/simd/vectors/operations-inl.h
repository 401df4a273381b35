// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations for which Highway 1.0.3 has loops, or long code, on WebAssembly,
// where one instruction is enough.

#if defined(HALFTONED_HALFTONE_CPU_SIMD_VECTORS_OPERATIONS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef HALFTONED_HALFTONE_CPU_SIMD_VECTORS_OPERATIONS_INL_H_
#undef HALFTONED_HALFTONE_CPU_SIMD_VECTORS_OPERATIONS_INL_H_
#else
#define HALFTONED_HALFTONE_CPU_SIMD_VECTORS_OPERATIONS_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace halftoned::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The bytes of `table` at `from`, within every 128 bits: 0 … 15. A byte of
// `from` above 127 gives 0.
template <class V>
HWY_INLINE V LookUpBytes(V table, V from) {
#if HWY_TARGET == HWY_WASM
  return V{wasm_i8x16_swizzle(table.raw, from.raw)};
#else
  return hn::TableLookupBytesOr0(table, from);
#endif
}

// hn::StoreMaskBits, which may write eight bytes.
template <class D, class M>
HWY_INLINE void StoreBits(D d, M mask, uint8_t* bits) {
#if HWY_TARGET == HWY_WASM
  const auto raw = hn::VecFromMask(d, mask).raw;
  const auto found = sizeof(hn::TFromD<D>) == 1   ? wasm_i8x16_bitmask(raw)
                     : sizeof(hn::TFromD<D>) == 2 ? wasm_i16x8_bitmask(raw)
                                                  : wasm_i32x4_bitmask(raw);
  std::memcpy(bits, &found, (hn::Lanes(d) + 7) / 8);
#else
  hn::StoreMaskBits(d, mask, bits);
#endif
}

// hn::LoadMaskBits, which reads eight bytes.
template <class D>
HWY_INLINE hn::Mask<D> LoadBits(D d, const uint8_t* bits) {
#if HWY_TARGET == HWY_WASM
  if constexpr (sizeof(hn::TFromD<D>) == 1) {
    const auto both = wasm_v128_load16_splat(bits);
    const auto spread = wasm_i8x16_shuffle(both, both, 0, 0, 0, 0, 0, 0, 0, 0,
                                           1, 1, 1, 1, 1, 1, 1, 1);
    const auto bit = wasm_i64x2_splat(static_cast<int64_t>(0x8040201008040201));
    return hn::MaskFromVec(
        hn::VFromD<D>{wasm_i8x16_eq(wasm_v128_and(spread, bit), bit)});
  }
#endif
  return hn::LoadMaskBits(d, bits);
}

}  // namespace HWY_NAMESPACE
}  // namespace halftoned::simd
HWY_AFTER_NAMESPACE();

#endif  // HALFTONED_HALFTONE_CPU_SIMD_VECTORS_OPERATIONS_INL_H_
