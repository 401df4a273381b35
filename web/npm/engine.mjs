// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine: pages in memory. Each job is a generator that does a band from
// one `next` to the other, so that workers can listen in between.

import {HalftoneError, loadModule} from './module.mjs';
import {checkCount, checkKeys, checkOptions, keyOf} from './options.mjs';
import {checkSamples, GrayRows, PaletteRows, recipeOf} from './rows.mjs';

const GRAYS = 256;

// What a page's pixels must be.
function checkPage(samples, width, height, channels, name) {
  checkSamples(samples, name);
  checkCount('width', width);
  checkCount('height', height);
  const wanted = channels.map(each => each * width * height);
  const found = wanted.indexOf(samples.length);
  if (found >= 0) return channels[found];
  throw new HalftoneError(
      `${name} has ${samples.length} samples, but ${width} × ${height} ` +
      `pixels have ${wanted.join(' or ')}`);
}

function roomFor(bytes) {
  try {
    return new Uint8Array(bytes);
  } catch {
    throw new HalftoneError('out of memory', 'UNAVAILABLE');
  }
}

// Writes what `pieces` yields to `room`, and yields how much of it is written.
function* written(pieces, room) {
  let at = 0;
  for (const piece of pieces) {
    room.set(piece, at);
    at += piece.length;
    yield room.length === 0 ? 1 : at / room.length;
  }
  return at;
}

function drained(job) {
  for (;;) {
    const {done, value} = job.next();
    if (done) return value;
  }
}

function describe(module) {
  const address = module.exports.web_description();
  if (address === 0) throw new HalftoneError('out of memory', 'UNAVAILABLE');
  const {types, settings, palettes} = JSON.parse(module.text(address));
  return {
    types,
    settings: settings.map(each => ({...each, key: keyOf(each.name)})),
    palettes: palettes.map(({name, help, colors}) => ({
                             name,
                             help,
                             colors: colors.split(' ').map(color => {
                               const [measured, sent = measured] =
                                   color.split('=');
                               return {measured, sent};
                             }),
                           })),
  };
}

export class Engine {
  #module;

  constructor(module) {
    this.#module = module;
    this.version = module.text(module.exports.ht_version());
    Object.assign(this, describe(module));
  }

  halftone(gray, width, height, options = {}) {
    return drained(this.halftoneJob(gray, width, height, options));
  }

  palette(pixels, width, height, palette, options = {}) {
    return drained(this.paletteJob(pixels, width, height, palette, options));
  }

  gray(rgba, width, height) {
    return drained(this.grayJob(rgba, width, height));
  }

  tone(options = {}) {
    const module = this.#module;
    const recipe = recipeOf(module, checkOptions(options));
    const tones = module.allocate(2 * GRAYS);
    module.exports.web_tones(recipe, tones);
    const view = module.view(tones, 2 * GRAYS);
    const result =
        Uint16Array.from({length: GRAYS}, (_, i) => view.getUint16(2 * i, true));
    module.free(tones);
    return result;
  }

  rows(width, options = {}) {
    return new GrayRows(this.#module, width, checkOptions(options));
  }

  paletteRows(width, palette, options = {}) {
    const known = checkKeys(options, ['channels', 'engine']);
    return new PaletteRows(this.#module, width, palette, known);
  }

  *halftoneJob(gray, width, height, options = {}) {
    checkPage(gray, width, height, [1], 'gray');
    const rows = this.rows(width, {
      ...checkOptions(options),
      bitsPerInput: gray instanceof Uint16Array ? 16 : 8,
    });
    try {
      const {stride} = rows;
      const data = roomFor(stride * height);
      const done = yield* written(rows.putInBands(gray), data);
      data.set(rows.end(), done);
      const {levels, bitsPerSample, type, typeVersion, engine} = rows;
      return {width, height, levels, bitsPerSample, stride, data, type,
              typeVersion, engine};
    } finally {
      rows.free();
    }
  }

  *paletteJob(pixels, width, height, palette, options = {}) {
    const channels = checkPage(pixels, width, height, [3, 4], 'pixels');
    const rows =
        this.paletteRows(width, palette, {...checkKeys(options, ['engine']), channels});
    try {
      const data = roomFor(width * height);
      yield* written(rows.putInBands(pixels), data);
      return {width, height, colors: rows.colors, data};
    } finally {
      rows.free();
    }
  }

  *grayJob(rgba, width, height) {
    checkPage(rgba, width, height, [4], 'rgba');
    const data = roomFor(width * height);
    yield* written(this.#grayBands(rgba, width, height), data);
    return data;
  }

  *#grayBands(rgba, width, height) {
    if (rgba instanceof Uint16Array) {
      throw new TypeError('rgba is a Uint16Array');
    }
    // Opened and closed for its checks of the width.
    this.rows(width).free();
    const module = this.#module;
    const band = Math.max(1, Math.floor((1 << 18) / width));
    for (let row = 0; row < height; row += band) {
      const rows = Math.min(band, height - row);
      const count = rows * width;
      const room = module.allocate(5 * count);
      const gray = room + 4 * count;
      try {
        module.bytes(room, 4 * count)
            .set(rgba.subarray(4 * row * width, 4 * (row + rows) * width));
        if (!module.exports.web_gray(room, width, rows, gray)) {
          throw new HalftoneError('out of memory', 'UNAVAILABLE');
        }
        yield module.bytes(gray, count).slice();
      } finally {
        module.free(room);
      }
    }
  }
}

export async function load(source) {
  return new Engine(await loadModule(source));
}
