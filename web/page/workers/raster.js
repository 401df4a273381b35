// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures of linear light at several sizes, and views of them. A view is what a screen
// shows of a picture: each of its pixels is the mean of the light that falls into it.

import { codeOfLight } from './scale.js';

const WHITE = 65535;
const CODES = Uint8Array.from({ length: 4097 },
  (_, step) => Math.round(codeOfLight(step / 4096) * 255));

// Light with 16 bits per sample; channels: 1 or 3. scale: pixels of the page per pixel of
// the raster.
export class Raster {
  constructor(width, height, channels, scale, data) {
    Object.assign(this, { width, height, channels, scale });
    this.data = data ?? new Uint16Array(width * height * channels);
  }

  // Sets the pixels of a rectangle from light in 0 … 1.
  put(light, x, y) {
    for (let row = 0; row < light.height; ++row) {
      let to = (y + row) * this.width + x;
      const from = row * light.width;
      for (let column = 0; column < light.width; ++column) {
        this.data[to++] = light.data[from + column] * WHITE + 0.5;
      }
    }
  }
}

// From one byte per pixel, by a table of light, 0 … 1, with `channels` values per byte.
export function rasterOfCodes(codes, width, height, table, channels) {
  const raster = new Raster(width, height, channels, 1);
  const levels = Uint16Array.from(table, (light) => Math.round(light * WHITE));
  for (let i = 0, to = 0; i < width * height; ++i) {
    const from = codes[i] * channels;
    for (let c = 0; c < channels; ++c) raster.data[to++] = levels[from + c];
  }
  return raster;
}

// Half as large: means of 2 x 2.
function halved(raster) {
  const { channels } = raster;
  const width = Math.ceil(raster.width / 2);
  const height = Math.ceil(raster.height / 2);
  const half = new Raster(width, height, channels, raster.scale * 2);
  const stride = raster.width * channels;
  for (let y = 0, to = 0; y < height; ++y) {
    const top = 2 * y * stride;
    const bottom = 2 * y + 1 < raster.height ? top + stride : top;
    for (let x = 0; x < width; ++x) {
      const left = 2 * x * channels;
      const right = 2 * x + 1 < raster.width ? left + channels : left;
      for (let c = 0; c < channels; ++c) {
        half.data[to++] = (raster.data[top + left + c] + raster.data[top + right + c] +
            raster.data[bottom + left + c] + raster.data[bottom + right + c] + 2) >> 2;
      }
    }
  }
  return half;
}

export class Pyramid {
  constructor(raster) {
    this.levels = [raster];
  }

  // The coarsest raster that is at least as fine as a view.
  levelFor(pagePixelsPerViewPixel) {
    for (;;) {
      const last = this.levels.at(-1);
      if (last.scale * 2 > pagePixelsPerViewPixel || last.width < 4 || last.height < 4) break;
      this.levels.push(halved(last));
    }
    return this.levels.findLast((level) => level.scale <= pagePixelsPerViewPixel) ??
        this.levels[0];
  }
}

// For each pixel of a view, along one side: the pixels of a raster, and their weights.
// Beyond the raster is -1. start: in pixels of the raster; step: per pixel of the view.
function boxTaps(count, start, step, size) {
  const first = new Int32Array(count);
  const most = Math.ceil(step) + 1;
  const weights = new Float32Array(count * most);
  for (let i = 0; i < count; ++i) {
    const from = start + i * step;
    const to = from + step;
    first[i] = Math.floor(from);
    for (let k = 0; k < most; ++k) {
      const at = first[i] + k;
      const covered = Math.min(to, at + 1) - Math.max(from, at);
      weights[i * most + k] = at >= 0 && at < size && covered > 0 ? covered / step : 0;
    }
  }
  return { first, most, weights };
}

// The same, but between the centers of pixels, light changes evenly.
function linearTaps(count, start, step, size) {
  const first = new Int32Array(count);
  const weights = new Float32Array(count * 2);
  for (let i = 0; i < count; ++i) {
    const center = start + (i + 0.5) * step;
    if (center < 0 || center >= size) continue;
    const at = Math.max(0, Math.min(size - 1, center - 0.5));
    first[i] = Math.min(Math.floor(at), Math.max(0, size - 2));
    weights[2 * i + 1] = size > 1 ? at - first[i] : 0;
    weights[2 * i] = 1 - weights[2 * i + 1];
  }
  return { first, most: 2, weights };
}

// The light of a pixel of a view, into `sums`; returns how much of it is on the raster.
function sumPixel(raster, across, down, x, y, sums) {
  let covered = 0;
  sums.fill(0);
  for (let j = 0; j < down.most; ++j) {
    const high = down.weights[y * down.most + j];
    if (high === 0) continue;
    const row = (down.first[y] + j) * raster.width + across.first[x];
    for (let i = 0; i < across.most; ++i) {
      const weight = high * across.weights[x * across.most + i];
      if (weight === 0) continue;
      covered += weight;
      const at = (row + i) * raster.channels;
      for (let c = 0; c < raster.channels; ++c) sums[c] += weight * raster.data[at + c];
    }
  }
  return covered;
}

// view: {x, y (the place of its corner on the page), step (pixels of the page per pixel
// of the view), width, height}. offset: of the raster's corner on the page. Returns RGBA;
// transparent where nothing is.
export function viewOf(raster, view, { smooth = false, offset = [0, 0] } = {}) {
  const taps = smooth ? linearTaps : boxTaps;
  const step = view.step / raster.scale;
  const across = taps(view.width, (view.x - offset[0]) / raster.scale, step, raster.width);
  const down = taps(view.height, (view.y - offset[1]) / raster.scale, step, raster.height);
  const rgba = new Uint8ClampedArray(view.width * view.height * 4);
  const sums = new Float32Array(raster.channels);
  const [green, blue] = raster.channels === 3 ? [1, 2] : [0, 0];
  for (let y = 0, to = 0; y < view.height; ++y) {
    for (let x = 0; x < view.width; ++x, to += 4) {
      const covered = sumPixel(raster, across, down, x, y, sums);
      if (covered < 1e-4) continue;
      const scale = 4096 / WHITE / covered;
      rgba[to] = CODES[(sums[0] * scale + 0.5) | 0];
      rgba[to + 1] = CODES[(sums[green] * scale + 0.5) | 0];
      rgba[to + 2] = CODES[(sums[blue] * scale + 0.5) | 0];
      rgba[to + 3] = 255 * covered + 0.5;
    }
  }
  return rgba;
}
