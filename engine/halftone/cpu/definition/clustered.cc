// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `clustered`, as docs/reference/bits.md defines it: `fine` with clusters in
// place of dots. Once the first dot of a cluster is printed, the others follow.

#include <algorithm>
#include <cstdlib>

#include "halftone/cpu/definition/methods.h"
#include "halftone/page/clustered_table.h"
#include "halftone/page/print_feedback.h"

namespace halftoned {
namespace {

// The distance to the last cluster, seen from a column. States of dots are 0 or
// less.
int DistanceToCluster(const StateRows& states, int32_t j) {
  const int beside = std::min(states.Left(j), states.Above(j));
  const int across = std::min(states.Above(j - 1), states.Above(j + 1));
  return std::min({std::max(beside, 0) + kClusterNear,
                   std::max(across, 0) + kClusterAcross, kClusterFar});
}

// Clusters at a pixel: the one above that needs this pixel, and the one to the
// left that does.
struct Growth {
  int above;            // the state above, below 0 of a cluster
  int columns_to_come;  // of a black cluster times -1

  bool is_down() const { return above < 0; }
  bool is_any() const { return is_down() || columns_to_come != 0; }
  // Precondition: is_any().
  bool is_white() const {
    return is_down() ? IsOfWhiteCluster(above) : columns_to_come > 0;
  }

  // A dot of the rarer color. Returns its state; the growth is then that of the
  // pixel to the right.
  int Add(const ClusterShape& shape, bool is_white) {
    if (is_down()) {
      columns_to_come = 0;
      return ClusterStateBelow(above);
    }
    const int columns =
        columns_to_come == 0 ? shape.columns : std::abs(columns_to_come);
    columns_to_come = is_white ? columns - 1 : 1 - columns;
    const int missing = columns_to_come == 0 ? shape.missing : 0;
    return ClusterState(shape.rows - 1 - missing, is_white);
  }
};

}  // namespace

void DefineClustered(const KernelJob& job) {
  const int size = job.recipe.parameter(Recipe::kClusterSize);
  const ToneTable& table = kClusterTables[ClusterTableOf(size)];
  const ClusterShape shape = ClusterShapeOf(size);
  ErrorSums sums(job.carry.plane(0));
  StateRows states(job.carry.plane(1), kClusterFar);
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    std::byte* bits = EmptyBits(job, i);
    uint16_t random = NoiseAtRow(job.carry.next_row() + i);
    Growth growth{};
    for (int32_t j = 0; j < job.page.width(); ++j) {
      const int v = CurvedValue(job, i, j);
      const int tone = FineToneOf(v);
      const bool is_tinted = tone != 0 && tone != 255;
      const FineRow& row = table[static_cast<size_t>(FineRowOf(tone))];
      const int distance = DistanceToCluster(states, j);
      growth.above = states.Above(j);
      const bool grows = growth.is_any() && is_tinted;
      const bool white_is_rare =
          grows ? growth.is_white()
                : v + NoiseOf(random, kClusterNoise) < kWhite / 2;
      const int shift =
          grows ? kClusterGrowth
                : row.lift + std::min(row.gain * (distance - row.onset) >> 4,
                                      kClusterMaxShift);
      const bool is_pure = IsPure(job.recipe, v);
      const int s = is_pure ? v : v + sums.At(j);
      const bool is_white = s + (white_is_rare ? shift : -shift) > kWhite / 2;
      int e = s - (is_white ? kWhite : 0);
      if (!is_tinted) e -= (e + 4) >> 3;
      if (is_white == white_is_rare && !is_pure) {
        states.Set(j, growth.Add(shape, is_white));
      } else {
        growth.columns_to_come = 0;
        states.Set(j, is_pure ? kClusterFar : distance);
      }
      sums.Spread(
          j, e, {row.right, row.down_right, row.down_left, row.down_left_left});
      PutSample(bits, j, 1, is_white ? 1 : 0);
      random = static_cast<uint16_t>(random * kNoiseFactor);
    }
    sums.EndRow();
    states.EndRow();
  }
}

}  // namespace halftoned
