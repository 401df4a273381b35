// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <type_traits>

#include "halftone/gpu/common/job_table.cuh"
#include "halftone/gpu/common/samples.cuh"
#include "halftone/gpu/common/screen_words.h"
#include "halftone/gpu/decide/decide_bands.cuh"

namespace halftoned::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kUnit = 32;  // columns

// The offsets of a job's screen, along a row of the band.
class ScreenRow {
 public:
  // Also of the band's first row.
  class Band {
   public:
    __device__ explicit Band(const BandJob& job)
        : words_(job.tone + (job.deep ? kTermsOf16 : kTermsOf8)),
          first_row_(static_cast<int>(job.first_row % rows())),
          first_column_(static_cast<int>(job.first_row / rows() *
                                         words_[ScreenWords::kShift] %
                                         columns())) {}

    __device__ int levels() const { return words_[ScreenWords::kLevels]; }

   private:
    friend class ScreenRow;
    __device__ int rows() const { return words_[ScreenWords::kRows]; }
    __device__ int columns() const { return words_[ScreenWords::kColumns]; }

    const int32_t* words_;
    int first_row_;
    int first_column_;
  };

  __device__ ScreenRow(const Band& band, int row, int column)
      : columns_(band.columns()) {
    const int down = band.first_row_ + row;
    const int cell = down / band.rows();
    row_ = band.words_ + ScreenWords::kOffsets + down % band.rows() * columns_;
    at_ = static_cast<int>((int64_t{cell} * band.words_[ScreenWords::kShift] +
                            band.first_column_ + column) %
                           columns_);
  }

  __device__ int Next() {
    const int offset = __ldg(row_ + at_);
    if (++at_ == columns_) at_ = 0;
    return offset;
  }

 private:
  const int32_t* row_;
  int columns_;
  int at_;
};

// The same for a screen with one offset, `bi-level`, which therefore reads only
// the page.
class OneOffset {
 public:
  class Band {
   public:
    __device__ explicit Band(const BandJob& job)
        : offset_(job.tone[(job.deep ? kTermsOf16 : kTermsOf8) +
                           ScreenWords::kOffsets]) {}
    __device__ int levels() const { return 2; }

   private:
    friend class OneOffset;
    int offset_;
  };

  __device__ OneOffset(const Band& band, int, int) : offset_(band.offset_) {}
  __device__ int Next() const { return offset_; }

 private:
  int offset_;
};

template <int bits, class Offsets>
__device__ uint32_t Decide(int value, int levels, Offsets& offsets) {
  if constexpr (bits == 1) return value + offsets.Next() >= int{kWhite};
  const uint32_t scaled = (levels - 1) * value + offsets.Next();
  const uint32_t level = scaled / kWhite;
  return bits == 4 ? SampleOf(level, levels) : level;
}

// The samples of a chunk from `pair` on, the first one's bits the highest.
template <class Gray, int bits, int pair = 0, class Offsets>
__device__ uint64_t ChunkBits(const uint4& chunk, const int32_t* values,
                              int levels, Offsets& offsets) {
  if constexpr (pair == Gray::kPerChunk / 2) {
    return 0;
  } else {
    const int2 v = Gray::template PairOfTerms<pair>(chunk, values);
    const uint32_t first = Decide<bits>(v.x, levels, offsets);
    const uint64_t two = first << bits | Decide<bits>(v.y, levels, offsets);
    return two << bits * (Gray::kPerChunk - 2 - 2 * pair) |
           ChunkBits<Gray, bits, pair + 1>(chunk, values, levels, offsets);
  }
}

// 32 columns: as many words as a sample has bits.
template <class Gray, int bits, class Offsets>
__device__ void DecideUnit(const BandJob& job,
                           const typename Offsets::Band& screen, int64_t row,
                           int column, const int32_t* values, uint32_t* words) {
  constexpr int kChunkBits = Gray::kPerChunk * bits;
  const std::byte* gray = job.gray + row * job.gray_pitch;
  Offsets offsets(screen, static_cast<int>(row), column);
#pragma unroll
  for (int first = 0; first < kUnit; first += Gray::kPerChunk) {
    uint4 chunk = make_uint4(0, 0, 0, 0);
    if (column + first < job.width) {
      chunk = __ldg(reinterpret_cast<const uint4*>(
          gray + static_cast<size_t>(column + first) * Gray::kBytes));
    }
    const uint64_t made =
        ChunkBits<Gray, bits>(chunk, values, screen.levels(), offsets);
    const int word = first * bits / 32;
    if constexpr (kChunkBits == 64) {
      words[word] = static_cast<uint32_t>(made >> 32);
      words[word + 1] = static_cast<uint32_t>(made);
    } else if constexpr (kChunkBits == 32) {
      words[word] = static_cast<uint32_t>(made);
    } else {
      words[word] = words[word] << kChunkBits | static_cast<uint32_t>(made);
    }
  }
}

template <class Gray, int bits, class Offsets>
__device__ void DecideRows(const BandJob& job, const int32_t* values) {
  const typename Offsets::Band screen(job);
  const int64_t units_per_row = job.bits_pitch / sizeof(uint32_t) / bits;
  const int64_t units = units_per_row * job.rows;
  const int64_t stride = int64_t{gridDim.x} * kThreads;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < units;
       i += stride) {
    const int column = static_cast<int>(i % units_per_row) * kUnit;
    uint32_t words[bits] = {};
    DecideUnit<Gray, bits, Offsets>(job, screen, i / units_per_row, column,
                                    values, words);
#pragma unroll
    for (int w = 0; w < bits; ++w) {
      const int left = (job.width - column) * bits - 32 * w;
      const uint32_t mask = left >= 32 ? ~0u : left <= 0 ? 0u : ~(~0u >> left);
      reinterpret_cast<uint32_t*>(job.bits)[i * bits + w] =
          __byte_perm(words[w] & mask, 0, 0x0123);
    }
  }
}

}  // namespace

// Not in the unnamed namespace, which nvcc names after the file's path.
template <int bits, bool has_one_offset>
__global__ void __launch_bounds__(kThreads)
    DecideBands(const __grid_constant__ Batch batch) {
  using Offsets = std::conditional_t<has_one_offset, OneOffset, ScreenRow>;
  __shared__ int32_t values[kTermsOf16];
  const BandJob& job = batch.jobs[blockIdx.y];
  CopyTable(job, values);
  __syncthreads();
  if (job.deep) {
    DecideRows<Samples<Pixels::k16Toned>, bits, Offsets>(job, values);
  } else {
    DecideRows<Samples<Pixels::k8Toned>, bits, Offsets>(job, values);
  }
}

cudaError_t LaunchDeciding(const Batch& batch, const Recipe& recipe,
                           cudaStream_t stream) {
  constexpr unsigned kBlocks = 512;  // more than can be resident
  const dim3 grid(kBlocks, static_cast<unsigned>(batch.jobs_count));
  const Screen& screen = recipe.screen();
  const bool has_one = screen.rows() == 1 && screen.columns() == 1;
  switch (recipe.levels().bits_per_sample) {
    case 1:
      if (has_one) {
        DecideBands<1, true><<<grid, kThreads, 0, stream>>>(batch);
      } else {
        DecideBands<1, false><<<grid, kThreads, 0, stream>>>(batch);
      }
      break;
    case 2:
      DecideBands<2, false><<<grid, kThreads, 0, stream>>>(batch);
      break;
    default:
      DecideBands<4, false><<<grid, kThreads, 0, stream>>>(batch);
  }
  return cudaGetLastError();
}

}  // namespace halftoned::cuda
