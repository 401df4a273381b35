// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps a picture, and makes pages for devices from it. Calls:
//
//   open {bitmap, raw}    keeps the picture; returns {isOpaque, isRaw}. raw: the same
//                         picture without its color profile, or none; isRaw says whether
//                         both are equal
//   page {width, height, channels, crop: {x, y, width, height}}
//                         returns {page}, scaled in linear light
//   save {page, dpi}      returns {blob}, the page as PNG

import { load } from '../halftoned/index.mjs';
import { encodePng } from './png.js';
import { scaled } from './scale.js';
import { Jobs, serve } from './worker_loop.js';

const jobs = new Jobs();
let engine; // a promise
let picture; // {rgba, width, height}

// Pixels over white.
function pixelsOf(bitmap) {
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d',
    { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  const own = context.getImageData(0, 0, width, height).data;
  let isOpaque = true;
  for (let i = 3; i < own.length && isOpaque; i += 4) isOpaque = own[i] === 255;
  if (isOpaque) return { rgba: own, isOpaque };
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  return { rgba: context.getImageData(0, 0, width, height).data, isOpaque };
}

function areEqual(a, b) {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

// One color of a part of the picture.
function planeOf({ rgba, width }, crop, channel) {
  const plane = new Uint8Array(crop.width * crop.height);
  for (let y = 0, to = 0; y < crop.height; ++y) {
    let from = 4 * ((crop.y + y) * width + crop.x) + channel;
    for (let x = 0; x < crop.width; ++x, from += 4) plane[to++] = rgba[from];
  }
  return plane;
}

async function scaledPlane(plane, crop, width, height, pause, part, of) {
  const steps = scaled(plane, crop.width, crop.height, width, height);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await pause(part + of * value);
  }
}

async function grayPage(crop, width, height, pause) {
  engine ??= load();
  const gray = (await engine).gray(picture.rgba, picture.width, picture.height);
  const isWhole = crop.width === picture.width && crop.height === picture.height;
  const plane = isWhole ? gray : cropped(gray, picture.width, crop);
  return scaledPlane(plane, crop, width, height, pause, 0, 1);
}

function cropped(gray, stride, crop) {
  const plane = new Uint8Array(crop.width * crop.height);
  for (let y = 0; y < crop.height; ++y) {
    const from = (crop.y + y) * stride + crop.x;
    plane.set(gray.subarray(from, from + crop.width), y * crop.width);
  }
  return plane;
}

async function colorPage(crop, width, height, pause) {
  const samples = new Uint8Array(width * height * 3);
  for (let c = 0; c < 3; ++c) {
    const plane = await scaledPlane(planeOf(picture, crop, c), crop, width, height, pause,
      c / 3, 1 / 3);
    for (let i = 0; i < plane.length; ++i) samples[3 * i + c] = plane[i];
  }
  return samples;
}

serve({
  open({ bitmap, raw }) {
    const { rgba, isOpaque } = pixelsOf(bitmap);
    const isRaw = !raw || areEqual(rgba, pixelsOf(raw).rgba);
    picture = { rgba, width: bitmap.width, height: bitmap.height };
    bitmap.close();
    raw?.close();
    return [{ isOpaque, isRaw }];
  },
  async page({ width, height, channels, crop }, id) {
    const make = channels === 1 ? grayPage : colorPage;
    const samples = await jobs.run((pause) => make(crop, width, height, pause),
      (progress) => self.postMessage({ id, progress }));
    return [{ page: { samples, width, height, channels } }, [samples.buffer]];
  },
  async save({ page, dpi }) {
    return [{ blob: await encodePng({ ...page, bits: 8, dpi }) }];
  },
});
