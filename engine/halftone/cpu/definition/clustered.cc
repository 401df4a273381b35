// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `clustered`, as docs/reference/bits.md defines it: `fine` with clusters in
// place of dots. Once the first dot of a cluster is printed, the others follow.

#include <algorithm>

#include "halftone/cpu/definition/methods.h"
#include "halftone/page/clustered_table.h"

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

}  // namespace

void DefineClustered(const KernelJob& job) {
  const int size = job.recipe.parameter(Recipe::kClusterSize);
  const ToneTable& table = kClusterTables[ClusterTableOf(size)];
  const ClusterShape shape = ClusterShapeOf(size);
  ErrorSums sums(job.carry.plane(0));
  StateRows states(job.carry.plane(1), kClusterFar);
  for (int32_t i = 0; i < job.gray.rows; ++i) {
    std::byte* bits = EmptyBits(job, i);
    int columns_to_come = 0;  // in the first row of a cluster
    for (int32_t j = 0; j < job.page.width(); ++j) {
      const int v = CurvedValue(job, i, j);
      const int tone = FineToneOf(v);
      const bool is_tinted = tone != 0 && tone != 255;
      const bool is_dark = tone < 128;
      const FineRow& row = table[static_cast<size_t>(FineRowOf(tone))];
      const int distance = DistanceToCluster(states, j);
      const bool grows_down = states.Above(j) < 0;
      const bool grows = grows_down || columns_to_come > 0;
      int shift = row.lift + std::min(row.gain * (distance - row.onset) >> 4,
                                      kClusterMaxShift);
      if (grows && is_tinted) shift = kClusterGrowth;
      const bool is_pure = IsPure(job.recipe, v);
      const int s = is_pure ? v : v + sums.At(j);
      const bool is_white = s + (is_dark ? shift : -shift) > kWhite / 2;
      int e = s - (is_white ? kWhite : 0);
      if (!is_tinted) e -= (e + 4) >> 3;
      if (is_pure) {
        columns_to_come = 0;
        states.Set(j, kClusterFar);
      } else if (is_white != is_dark) {
        columns_to_come = 0;
        states.Set(j, distance);
      } else if (grows_down) {
        columns_to_come = 0;
        states.Set(j, states.Above(j) + 1);
      } else {
        if (columns_to_come == 0) columns_to_come = shape.columns;
        --columns_to_come;
        const bool is_last = columns_to_come == 0;
        states.Set(j, 1 - shape.rows + (is_last ? shape.missing : 0));
      }
      sums.Spread(
          j, e, {row.right, row.down_right, row.down_left, row.down_left_left});
      PutSample(bits, j, 1, is_white);
    }
    sums.EndRow();
    states.EndRow();
  }
  sums.Keep();
  states.Keep();
}

}  // namespace halftoned
