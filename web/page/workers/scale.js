// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales pictures in linear light, to the same bits as `halftone convert`
// (print/image/scale): Mitchell and Netravali's filter enlarges, Lanczos' filter with
// three lobes reduces. Sums are of 32-bit floats, in the same order as there.

const UNITS = 1 << 20; // of weight
const STEPS = 1 << 14; // of light, in the table of codes
const f = Math.fround;
const f32 = (value) => new Float32Array([value]);

function mitchell(distance) {
  const x = Math.abs(distance);
  if (x >= 2) return 0;
  if (x < 1) return (7 * x * x * x - 12 * x * x + 16 / 3) / 6;
  return ((-7 / 3) * x * x * x + 12 * x * x - 20 * x + 32 / 3) / 6;
}

function lanczos(x) {
  if (x === 0) return 1;
  if (Math.abs(x) >= 3) return 0;
  const angle = x * Math.PI;
  return (3 * Math.sin(angle) * Math.sin(angle / 3)) / (angle * angle);
}

// Multiples of 2^-20 whose sum is exactly 1.
function rounded(exact) {
  const total = exact.reduce((sum, weight) => sum + weight, 0);
  const weights = new Float32Array(exact.length);
  let sum = 0;
  let before = 0;
  exact.forEach((weight, i) => {
    sum += weight;
    const now = Math.floor((sum / total) * UNITS + 0.5);
    weights[i] = (now - before) / UNITS;
    before = now;
  });
  return weights;
}

// For each new sample: the first old sample that it is made from, and the weights.
function tapsOf(from, to) {
  if (from === to) return Array.from({ length: to }, (_, first) => ({ first, weights: f32(1) }));
  const stretch = Math.max(1, from / to);
  const radius = (to > from ? 2 : 3) * stretch;
  return Array.from({ length: to }, (_, at) => {
    const center = ((at + 0.5) * from) / to - 0.5;
    const first = Math.max(0, Math.ceil(center - radius));
    const last = Math.min(from - 1, Math.floor(center + radius));
    const exact = [];
    for (let i = first; i <= last; ++i) {
      exact.push(to > from ? mitchell(i - center) : lanczos((i - center) / stretch));
    }
    return { first, weights: rounded(exact) };
  });
}


// IEC 61966-2-1.
export const lightOfCode = (code) =>
  code <= 0.04045 ? code / 12.92 : ((code + 0.055) / 1.055) ** 2.4;
export const codeOfLight = (light) =>
  light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;

const LIGHT = Float32Array.from({ length: 256 }, (_, code) => lightOfCode(code / 255));
const CODES = Float32Array.from({ length: STEPS + 2 },
  (_, step) => codeOfLight(Math.min(step, STEPS) / STEPS) * 255);

function codeOf(light) {
  const place = f(Math.max(0, Math.min(1, light)) * STEPS);
  const step = place | 0;
  const part = f(place - step);
  const rise = f(CODES[step + 1] - CODES[step]);
  return f(f(CODES[step] + f(rise * part)) + f(0.5)) | 0;
}

// A row of light, scaled sideways.
function scaleRow(plane, start, taps, row) {
  for (let x = 0; x < taps.length; ++x) {
    const { first, weights } = taps[x];
    let sum = 0;
    for (let k = 0; k < weights.length; ++k) {
      sum = f(sum + f(weights[k] * LIGHT[plane[start + first + k]]));
    }
    row[x] = sum;
  }
}

function sumRows(rows, { first, weights }, sums) {
  sums.fill(0);
  for (let k = 0; k < weights.length; ++k) {
    const row = rows.get(first + k);
    const weight = weights[k];
    for (let x = 0; x < sums.length; ++x) sums[x] = f(sums[x] + f(weight * row[x]));
  }
}

// Yields the fraction that is done; returns the scaled plane of 8-bit codes.
export function* scaled(plane, width, height, newWidth, newHeight) {
  if (width === newWidth && height === newHeight) return plane;
  const across = tapsOf(width, newWidth);
  const down = tapsOf(height, newHeight);
  const made = new Uint8Array(newWidth * newHeight);
  const rows = new Map(); // scaled sideways, that later rows need
  const sums = new Float32Array(newWidth);
  let read = 0;
  for (let y = 0; y < newHeight; ++y) {
    const { first, weights } = down[y];
    for (; read < first + weights.length; ++read) {
      const row = new Float32Array(newWidth);
      scaleRow(plane, read * width, across, row);
      rows.set(read, row);
    }
    sumRows(rows, down[y], sums);
    for (let x = 0, to = y * newWidth; x < newWidth; ++x) made[to++] = codeOf(sums[x]);
    for (const old of rows.keys()) {
      if (old >= first) break;
      rows.delete(old);
    }
    if (y % 32 === 0) yield y / newHeight;
  }
  return made;
}
