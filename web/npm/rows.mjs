// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages whose rows come little by little. Their memory is that of a band,
// however long the page is.

import {HalftoneError} from './module.mjs';
import {checkCount, optionsText, paletteText, toneCurveText} from './options.mjs';

const BAND_PIXELS = 1 << 18;
const LAYOUT_BYTES = 32;

// A multiple of 32, the rows that vectors take at once.
function bandRows(width) {
  return Math.min(Math.max(Math.floor(BAND_PIXELS / width / 32), 1), 64) * 32;
}

function checkWidth(width) {
  checkCount('width', width);
  if (width < 1 || width > 262144) {
    throw new HalftoneError(`width is ${width}, which is not in 1 … 262144`);
  }
}

export function checkSamples(samples, name) {
  if (samples instanceof Uint8Array || samples instanceof Uint8ClampedArray ||
      samples instanceof Uint16Array) {
    return samples;
  }
  throw new TypeError(
      `${name} is not a Uint8Array, Uint8ClampedArray or Uint16Array`);
}

// The whole rows in `samples`.
function wholeRows(samples, samplesPerRow, name) {
  const rows = samples.length / samplesPerRow;
  if (Number.isInteger(rows)) return rows;
  throw new HalftoneError(`${name} has ${samples.length} samples, ` +
                          `which are not whole rows of ${samplesPerRow}`);
}

// The engine of this name; 0 for the fastest.
function openEngine(module, name = 'auto') {
  if (name === 'auto') return 0;
  return module.withText(
      String(name), text => module.make('ht_engine_new', text, 1));
}

// Joins pieces to one array.
export function joined(pieces) {
  if (pieces.length === 1) return pieces[0];
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

// The recipe of these options, until another one is asked for.
export function recipeOf(module, options) {
  const settings = optionsText(options);
  const points = toneCurveText(options.toneCurve);
  return module.recipe.get(
      JSON.stringify([settings, points]),
      () => module.withText(
          settings,
          text => module.withText(
              points, curve => module.make('ht_recipe_new', text, curve))));
}

// What both kinds of pages have.
class OpenRows {
  #module;
  #page;
  #free;

  constructor(module, page, free) {
    this.#module = module;
    this.#page = page;
    this.#free = free;
  }

  get page() {
    if (this.#page === 0) {
      throw new HalftoneError('the page has ended', 'BUG');
    }
    return this.#page;
  }

  // Frees the page's memory, in which unfinished rows are lost.
  free() {
    if (this.#page !== 0) this.#free(this.#page);
    this.#page = 0;
  }

  [Symbol.dispose ?? Symbol.for('dispose')]() {
    this.free();
  }

  // After an error the page is lost.
  protect(work) {
    try {
      return work(this.#module, this.page);
    } catch (error) {
      this.free();
      throw error;
    }
  }
}

export class GrayRows extends OpenRows {
  #samplesPerRow;
  #isWide;
  #lent = {gray: 0, bytesPerRow: 0, rows: 0};
  #filled = 0;  // rows of the lent memory

  constructor(module, width, options) {
    checkWidth(width);
    const {bitsPerInput = 8, rowsPerBand = bandRows(width)} = options;
    if (bitsPerInput !== 8 && bitsPerInput !== 16) {
      throw new HalftoneError(`bitsPerInput is ${bitsPerInput}, not 8 or 16`);
    }
    checkCount('rowsPerBand', rowsPerBand);
    const {exports} = module;
    const recipe = recipeOf(module, options);
    const page = GrayRows.#open(module, recipe, options.engine,
                                {width, bitsPerInput, rowsPerBand});
    super(module, page, exports.ht_page_free);
    Object.assign(this, {
      width,
      type: module.text(exports.ht_recipe_type(recipe)),
      typeVersion: exports.ht_recipe_type_version(recipe),
      levels: exports.ht_recipe_levels(recipe),
      bitsPerSample: exports.ht_recipe_bits_per_sample(recipe),
      stride: exports.ht_recipe_row_bytes(recipe, width) >>> 0,
      engine: module.text(exports.ht_page_engine(page)),
    });
    this.#samplesPerRow = width;
    this.#isWide = bitsPerInput === 16;
  }

  static #open(module, recipe, engineName, {width, bitsPerInput, rowsPerBand}) {
    const engine = openEngine(module, engineName);
    const layout = module.allocate(LAYOUT_BYTES);
    try {
      module.bytes(layout, LAYOUT_BYTES).fill(0);
      const view = module.view(layout, LAYOUT_BYTES);
      view.setInt32(0, width, true);
      view.setInt32(4, bitsPerInput, true);
      view.setInt32(16, rowsPerBand, true);
      return module.make('ht_page_open', engine, recipe, layout, 0, 0);
    } finally {
      module.free(layout);
      module.exports.ht_engine_free(engine);
    }
  }

  // Takes whole rows; returns the rows that are finished.
  put(gray) {
    return this.protect(() => joined([...this.putInBands(gray)]));
  }

  // The same, a band after the other.
  *putInBands(gray) {
    checkSamples(gray, 'gray');
    if (gray instanceof Uint16Array !== this.#isWide) {
      throw new TypeError(this.#isWide ? 'gray is not a Uint16Array' :
                                         'gray is a Uint16Array');
    }
    const rows = wholeRows(gray, this.#samplesPerRow, 'gray');
    const bytes = new Uint8Array(gray.buffer, gray.byteOffset, gray.byteLength);
    for (let row = 0; row < rows;) {
      row += this.#fill(bytes, row, rows);
      if (this.#filled === this.#lent.rows) yield this.#submit(false);
    }
  }

  // Ends the page; returns the remaining rows.
  end() {
    const rest = this.protect(() => {
      this.#lend();
      return this.#submit(true);
    });
    this.free();
    return rest;
  }

  #lend() {
    if (this.#lent.rows > 0) return;
    this.protect((module, page) => {
      const {exports, place, error} = module;
      module.check(exports.ht_page_lend(page, place, error));
      const view = module.view(place, 12);
      this.#lent = {
        gray: view.getUint32(0, true),
        bytesPerRow: view.getUint32(4, true),
        rows: view.getInt32(8, true),
      };
      this.#filled = 0;
    });
  }

  // Copies as many rows, from `first` on, as there is room for.
  #fill(bytes, first, end) {
    this.#lend();
    const {gray, bytesPerRow, rows} = this.#lent;
    const rowBytes = this.#samplesPerRow * (this.#isWide ? 2 : 1);
    const count = Math.min(end - first, rows - this.#filled);
    this.protect(module => {
      if (bytesPerRow === rowBytes) {
        module.bytes(gray + this.#filled * rowBytes, count * rowBytes)
            .set(bytes.subarray(first * rowBytes, (first + count) * rowBytes));
        return;
      }
      for (let i = 0; i < count; ++i) {
        module.bytes(gray + (this.#filled + i) * bytesPerRow, rowBytes)
            .set(bytes.subarray((first + i) * rowBytes,
                                (first + i + 1) * rowBytes));
      }
    });
    this.#filled += count;
    return count;
  }

  #submit(isLast) {
    return this.protect((module, page) => {
      const {exports, place, error} = module;
      module.check(
          exports.ht_page_submit(page, this.#filled, isLast ? 1 : 0, error));
      this.#lent = {gray: 0, bytesPerRow: 0, rows: 0};
      this.#filled = 0;
      module.check(exports.ht_page_take(page, place, error));
      const view = module.view(place, 20);
      return this.#copy(module, view.getUint32(0, true),
                        view.getUint32(4, true), view.getInt32(16, true));
    });
  }

  #copy(module, bits, bytesPerRow, rows) {
    const out = new Uint8Array(rows * this.stride);
    for (let i = 0; i < rows; ++i) {
      out.set(module.bytes(bits + i * bytesPerRow, this.stride), i * this.stride);
    }
    return out;
  }
}

function paletteOf(module, colors) {
  const key = paletteText(colors);
  return module.palette.get(
      key,
      () => module.withText(key, text => module.make('ht_palette_new', text)));
}

function hexColor(rgb) {
  return '#' + (rgb >>> 0).toString(16).padStart(6, '0');
}

function colorsOf(module, palette) {
  const {exports} = module;
  return Array.from({length: exports.ht_palette_count(palette)}, (_, index) => ({
                      measured: hexColor(exports.ht_palette_measured(palette, index)),
                      sent: hexColor(exports.ht_palette_sent(palette, index)),
                    }));
}

export class PaletteRows extends OpenRows {
  #channels;
  #rows;  // that are taken at once

  constructor(module, width, colors, options) {
    checkWidth(width);
    const {channels = 3} = options;
    if (channels !== 3 && channels !== 4) {
      throw new HalftoneError(`channels is ${channels}, not 3 or 4`);
    }
    const palette = paletteOf(module, colors);
    super(module, PaletteRows.#open(module, palette, options.engine, width),
          module.exports.ht_palette_page_free);
    Object.assign(this, {width, colors: colorsOf(module, palette)});
    this.#channels = channels;
    this.#rows = bandRows(width);
  }

  static #open(module, palette, engineName, width) {
    const engine = openEngine(module, engineName);
    try {
      return module.make('ht_palette_page_open', engine, palette, width);
    } finally {
      module.exports.ht_engine_free(engine);
    }
  }

  // Takes whole rows; returns as many rows of indices.
  put(pixels) {
    return this.protect(() => joined([...this.putInBands(pixels)]));
  }

  *putInBands(pixels) {
    if (checkSamples(pixels, 'pixels') instanceof Uint16Array) {
      throw new TypeError('pixels is a Uint16Array');
    }
    const rowBytes = this.#channels * this.width;
    const rows = wholeRows(pixels, rowBytes, 'pixels');
    for (let row = 0; row < rows; row += this.#rows) {
      const end = Math.min(row + this.#rows, rows);
      yield this.#band(pixels.subarray(row * rowBytes, end * rowBytes),
                       end - row);
    }
  }

  end() {
    this.protect(() => {});
    this.free();
    return new Uint8Array(0);
  }

  #band(pixels, rows) {
    return this.protect((module, page) => {
      const count = rows * this.width;
      const rgba = this.#channels === 4 ? 4 * count : 0;
      const room = module.allocate(rgba + 4 * count);
      const rgb = room + rgba;
      const indices = rgb + 3 * count;
      const {exports} = module;
      try {
        module.bytes(room, pixels.length).set(pixels);
        if (rgba > 0 && !exports.web_rgb(room, this.width, rows, rgb)) {
          throw new HalftoneError('out of memory', 'UNAVAILABLE');
        }
        module.check(exports.ht_palette_page_put(
            page, rgb, 0, BigInt(rows), indices, 0, module.error));
        return module.bytes(indices, count).slice();
      } finally {
        module.free(room);
      }
    });
  }
}
