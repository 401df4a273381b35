// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the package share: the package, pages that are the same in
// every run, and the native engine.

import {spawnSync} from 'node:child_process';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const {HALFTONED_NPM: npm, HALFTONED_NATIVE_PAGES: native} = process.env;

export const folder = path.resolve(npm);
export const halftoned =
    await import(pathToFileURL(path.join(folder, 'index.mjs')));

// Numbers 0 … below - 1, the same for the same seed.
export function random(seed) {
  let state = seed >>> 0;
  return below => {
    state = state + 0x9e3779b9 >>> 0;
    let mixed = Math.imul(state ^ state >>> 16, 0x21f0aaad);
    mixed = Math.imul(mixed ^ mixed >>> 15, 0x735a2d97);
    return ((mixed ^ mixed >>> 15) >>> 0) % below;
  };
}

// Ramps, noise, and areas of pure black and white.
export function grayPage(seed, width, height, isWide = false) {
  const next = random(seed);
  const white = isWide ? 65535 : 255;
  const gray = new (isWide ? Uint16Array : Uint8Array)(width * height);
  const kind = next(3);
  for (let i = 0; i < gray.length; ++i) {
    const ramp = Math.floor(i % width * white / width);
    const noise = next(white + 1);
    const isPure = Math.floor(i / width / 8) % 3 === 0;
    gray[i] = kind === 0 ? ramp
        : kind === 1     ? noise
        : isPure         ? white * (i % 64 < 32)
                         : (ramp + noise) >> 1;
  }
  return gray;
}

export function pixelPage(seed, width, height, channels = 3) {
  const next = random(seed);
  const pixels = new Uint8Array(width * height * channels);
  for (let i = 0; i < pixels.length; ++i) {
    const pixel = Math.floor(i / channels);
    const isFlat = Math.floor(pixel / width / 16) % 4 === 3;
    pixels[i] = isFlat ? 255 * (i % channels & 1) : next(256);
  }
  return pixels;
}

function run(args, input) {
  const {status, stdout, stderr, error} =
      spawnSync(native, args, {input, maxBuffer: 1 << 28});
  if (error) throw error;
  if (status !== 0) throw new Error(stderr.toString().trim());
  return stdout;
}

function bytesOf(samples) {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

// As the native engine of this machine does it.
export function nativeGray(gray, width, options) {
  const bits = String(8 * gray.BYTES_PER_ELEMENT);
  return run(['gray', 'auto', options, String(width), bits], bytesOf(gray));
}

export function nativePalette(rgb, width, colors) {
  return run(['palette', 'auto', colors, String(width)], rgb);
}

// The fewest milliseconds of CPU time of several times.
export function nativeTime(kind, engine, what, width, bits, times, samples) {
  const args = [what, String(width), ...(kind === 'gray' ? [bits] : [])];
  return Number(run([kind, engine, ...args, String(times)], samples).toString());
}
