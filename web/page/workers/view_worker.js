// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the dots of a page by one method, prints them on a simulated printer, and shows
// views of both. Calls:
//
//   make {page, device, method, options}  makes the dots; returns {seconds}
//   facts {}              returns what the engine offers
//   tone {options}        returns {tones, type}: the light that each gray becomes
//   view {mode: 'dots' | 'print', x, y, step, width, height}  returns {rgba}
//   save {}               returns {blob}, the dots as PNG
//
// page: {samples, width, height, channels: 1 (gray) or 3 (RGB)}. device: see printers.js.
// method: 'original', 'halftoned', 'plain' (the device's usual method) or 'floyd'.

import { load } from '../halftoned/index.mjs';
import { makeDots } from './dots.js';
import { encodePng } from './png.js';
import { Pyramid, Raster, rasterOfCodes, viewOf } from './raster.js';
import { printedMap, printedDetail, mapScale } from './printed.js';
import { lightOfCode } from './scale.js';
import { Jobs, serve } from './worker_loop.js';

const GRAYS = Float32Array.from({ length: 256 }, (_, code) => lightOfCode(code / 255));
const jobs = new Jobs();
let engine; // a promise
let made; // {page, device, dots, pyramids, …}

// The original, as linear light.
function originalPyramid({ samples, width, height, channels }) {
  if (channels === 1) return new Pyramid(rasterOfCodes(samples, width, height, GRAYS, 1));
  const raster = new Raster(width, height, 3, 1);
  for (let i = 0; i < samples.length; ++i) raster.data[i] = GRAYS[samples[i]] * 65535 + 0.5;
  return new Pyramid(raster);
}

// The light of each code of dots: black and white, or the colors of a panel.
const lightOfColors = (colors) => colors.flat().map((code) => GRAYS[code]);

function dotsPyramid({ page, dots, colors }) {
  const { width, height } = page;
  return new Pyramid(colors
    ? rasterOfCodes(dots, width, height, lightOfColors(colors), 3)
    : rasterOfCodes(dots, width, height, [0, 1], 1));
}

async function make({ page, device, method, options }, id) {
  const report = (part, of) => (fraction) =>
    self.postMessage({ id, progress: part + of * fraction });
  made = undefined;
  if (method === 'original') {
    return jobs.run(async () => {
      made = { page, device, pyramids: {}, original: originalPyramid(page) };
      return [{ seconds: 0 }];
    }, () => {});
  }
  const ready = await opened();
  const isPrinted = !device.palette;
  const result = await jobs.run(
    (pause) => makeDots(ready, { page, device, method, options }, pause),
    report(0, isPrinted ? 0.5 : 1));
  const { seconds } = result;
  const pyramids = {};
  const whole = { page, device, ...result, pyramids };
  if (isPrinted) {
    pyramids.print = new Pyramid(
      await jobs.run((pause) => printedMap(whole, pause), report(0.5, 0.5)));
  }
  made = whole;
  return [{ seconds }];
}

function viewOfMade({ mode, ...view }) {
  const { device, original, pyramids } = made;
  if (original) return viewOf(original.levelFor(view.step), view, { smooth: view.step < 1 });
  if (mode === 'dots' || device.palette) {
    pyramids.dots ??= dotsPyramid(made);
    return viewOf(pyramids.dots.levelFor(view.step), view);
  }
  if (view.step >= mapScale(device)) {
    return viewOf(pyramids.print.levelFor(view.step), view);
  }
  const { raster, offset } = printedDetail(made, view);
  return viewOf(raster, view, { smooth: true, offset });
}

const opened = () => (engine ??= load());

serve({
  make,
  async facts() {
    const { version, types, settings, palettes } = await opened();
    return [{ version, types, settings, palettes }];
  },
  async tone({ options }) {
    const ready = await opened();
    const rows = ready.rows(8, options);
    const { type } = rows;
    rows.free();
    return [{ tones: ready.tone(options), type }];
  },
  view(view) {
    if (!made) return [{ rgba: null }];
    const rgba = viewOfMade(view);
    return [{ rgba }, [rgba.buffer]];
  },
  async save() {
    const { page, device, dots, sent } = made;
    const { width, height } = page;
    const bits = !sent ? 1 : sent.length <= 2 ? 1 : sent.length <= 4 ? 2 : 4;
    return [{ blob: await encodePng({
      samples: dots, width, height, bits, channels: 1, palette: sent, dpi: device.dpi,
    }) }];
  },
});
