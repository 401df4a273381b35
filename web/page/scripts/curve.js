// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The correction of a typical printer, as points of a tone curve.

const WHITE = 4080; // of the engine's tones
const TOLERANCE = 3;

// Adds the points between two that the line between them misses.
function addBetween(tones, first, last, points) {
  let worst = TOLERANCE;
  let at = -1;
  for (let gray = first + 1; gray < last; ++gray) {
    const line = tones[first] + ((tones[last] - tones[first]) * (gray - first)) / (last - first);
    const off = Math.abs(tones[gray] - line);
    if (off > worst) [worst, at] = [off, gray];
  }
  if (at < 0) return;
  addBetween(tones, first, at, points);
  points.push(at);
  addBetween(tones, at, last, points);
}

// tones: of 256 grays, 0 … 4080. Returns [[gray, light of 255], …], or none if nothing is
// to be corrected.
export function curveOf(tones) {
  if (tones.every((tone, gray) => tone === gray * 16)) return undefined;
  const points = [0];
  addBetween(tones, 0, 255, points);
  points.push(255);
  const light = (gray) => Math.round((tones[gray] / WHITE) * 2550) / 10;
  return points.map((gray) => [gray, light(gray)]);
}
