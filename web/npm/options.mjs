// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of JavaScript as the library's texts.

import {HalftoneError} from './module.mjs';

// Members of the options that are no settings of the library.
const NOT_SETTINGS =
    new Set(['toneCurve', 'engine', 'rowsPerBand', 'bitsPerInput']);
const OTHER_NAMES = {type: 'halftone-type', resolution: 'dpi'};

export function keyOf(name) {
  if (name === 'halftone-type') return 'type';
  return name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
}

function nameOf(key) {
  return OTHER_NAMES[key] ??
      key.replace(/[A-Z]/g, letter => '-' + letter.toLowerCase());
}

function valueOf(key, value) {
  if (key === 'resolution' && Array.isArray(value)) value = value.join('x');
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw new TypeError(`${key} is neither a number nor a string`);
  }
  const text = String(value);
  // What would end the option; the library refuses a decimal comma itself.
  if (text === '' || /[\s=]|,(?!\d+$)/.test(text)) {
    throw new HalftoneError(`${key}: '${text}' is not one value`);
  }
  return text;
}

export function checkOptions(options) {
  if (options === null || typeof options !== 'object') {
    throw new TypeError('the options are not an object');
  }
  return options;
}

// Options of which none goes to the library, which would refuse unknown ones.
export function checkKeys(options, known) {
  const unknown = Object.keys(checkOptions(options))
      .find(key => options[key] !== undefined && !known.includes(key));
  if (unknown === undefined) return options;
  throw new HalftoneError(`unknown option '${unknown}'`);
}

// As ht_recipe_new takes them.
export function optionsText(options) {
  return Object.entries(options)
      .filter(([key, value]) => value !== undefined && !NOT_SETTINGS.has(key))
      .map(([key, value]) => `${nameOf(key)}=${valueOf(key, value)}`)
      .join(' ');
}

export function toneCurveText(curve) {
  if (curve === undefined || typeof curve === 'string') return curve;
  if (!Array.isArray(curve)) {
    throw new TypeError('toneCurve is neither a string nor an array of pairs');
  }
  return curve.map(pair => `${[...pair].join(' ')}\n`).join('');
}

// As ht_palette_new takes it.
export function paletteText(palette) {
  if (typeof palette === 'string') return palette;
  if (!Array.isArray(palette)) {
    throw new TypeError('the palette is neither a string nor an array');
  }
  return palette
      .map(color => {
        if (typeof color === 'string') return color;
        const {measured, sent = measured} = color ?? {};
        if (typeof measured !== 'string' || typeof sent !== 'string') {
          throw new TypeError('a color of the palette is not a string');
        }
        return `${measured}=${sent}`;
      })
      .join(' ');
}

// A count that the library can take as an int32.
export function checkCount(name, value) {
  if (!Number.isInteger(value)) {
    throw new TypeError(`${name} is not an integer`);
  }
  if (value < 0 || value > 0x7fffffff) {
    throw new HalftoneError(`${name} is ${value}, which is out of range`);
  }
}
