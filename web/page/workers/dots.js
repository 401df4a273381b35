// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dots of a page by one method: one byte per pixel, 0 (black) or 1, or an index of
// the panel's colors.

import { screenFor, screenRow } from './ghostscript_screen.js';
import { NearestColors } from './nearest_colors.js';

const BAND_PIXELS = 1 << 17;

const hex = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

// Sets dots from rows of packed bits.
function unpack(bits, stride, width, dots, to) {
  for (let row = 0; row < bits.length / stride; ++row) {
    for (let x = 0; x < width; ++x) {
      dots[to++] = (bits[row * stride + (x >> 3)] >> (7 - (x & 7))) & 1;
    }
  }
  return to;
}

// Calls put(first row, rows) for bands of the page.
async function eachBand({ width, height }, pause, put) {
  const rows = Math.max(8, Math.floor(BAND_PIXELS / width));
  for (let y = 0; y < height; y += rows) {
    put(y, Math.min(rows, height - y));
    await pause(Math.min(1, (y + rows) / height));
  }
}

// By the engine, which may hold back rows. Only its own time counts.
async function ofEngine(engine, page, options, pause) {
  const { samples, width } = page;
  const pipe = engine.rows(width, options);
  const dots = new Uint8Array(samples.length);
  let to = 0;
  let milliseconds = 0;
  const timed = (work) => {
    const start = performance.now();
    const bits = work();
    milliseconds += performance.now() - start;
    to = unpack(bits, pipe.stride, width, dots, to);
  };
  try {
    await eachBand(page, pause, (y, rows) =>
      timed(() => pipe.put(samples.subarray(y * width, (y + rows) * width))));
    timed(() => pipe.end());
  } finally {
    pipe.free();
  }
  return { dots, seconds: milliseconds / 1000 };
}

async function ofScreen(page, dpi, pause) {
  const { samples, width } = page;
  const dots = new Uint8Array(samples.length);
  const screen = screenFor(dpi);
  await eachBand(page, pause, (first, rows) => {
    for (let y = first; y < first + rows; ++y) {
      const [from, to] = [y * width, (y + 1) * width];
      screenRow(screen, samples.subarray(from, to), y, dots.subarray(from, to));
    }
  });
  return { dots };
}

// A panel's colors, by the engine.
async function ofPalette(engine, page, palette, pause) {
  const { samples, width, height } = page;
  const pipe = engine.paletteRows(width, palette);
  const dots = new Uint8Array(width * height);
  let milliseconds = 0;
  let to = 0;
  const add = (work) => {
    const start = performance.now();
    const indices = work();
    milliseconds += performance.now() - start;
    dots.set(indices, to);
    to += indices.length;
  };
  try {
    await eachBand(page, pause, (y, rows) =>
      add(() => pipe.put(samples.subarray(3 * y * width, 3 * (y + rows) * width))));
    add(() => pipe.end());
  } finally {
    pipe.free();
  }
  return { dots, seconds: milliseconds / 1000 };
}

async function ofNearest(page, colors, isDiffused, pause) {
  const { samples, width, height } = page;
  const dots = new Uint8Array(width * height);
  const nearest = new NearestColors(colors, width, isDiffused);
  await eachBand(page, pause, (first, rows) => {
    for (let y = first; y < first + rows; ++y) {
      nearest.row(samples.subarray(3 * y * width, 3 * (y + 1) * width),
        dots.subarray(y * width, (y + 1) * width));
    }
  });
  return { dots };
}

async function forPanel(engine, { page, device, method }, pause) {
  const { colors } = engine.palettes.find(({ name }) => name === device.palette);
  const measured = colors.map((color) => hex(color.measured));
  const made = method === 'halftoned'
    ? await ofPalette(engine, page, device.palette, pause)
    : await ofNearest(page, measured, method === 'floyd', pause);
  return { ...made, colors: measured, sent: colors.map((color) => hex(color.sent)) };
}

// job: {page, device, method, options}, as in view_worker.js. Returns {dots, seconds};
// for panels also colors and sent, lists of [red, green, blue].
export async function makeDots(engine, job, pause) {
  const { page, device, method, options } = job;
  if (device.palette) return forPanel(engine, job, pause);
  if (method === 'plain') return ofScreen(page, device.dpi, pause);
  const used = method === 'floyd' ? { type: 'floyd-steinberg' } : options;
  return ofEngine(engine, page, used, pause);
}
