// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work behind the page: one worker keeps the picture and makes pages; one for each
// method makes dots, prints and views. What has not changed is not made again, and new
// choices cancel old work.

import { Calls, Canceled } from './calls.js';
import { curveOf } from './curve.js';
import { METHODS } from './devices.js';
import { panelSize, printedSize } from './layout.js';

const ALONE_MS = 500;

const worker = (name) => new Calls(new URL(`../workers/${name}.js`, import.meta.url));

export class Work {
  #picture = worker('picture_worker');
  #views = Object.fromEntries(METHODS.map((method) => [method, worker('view_worker')]));
  #opened; // the picture that the worker keeps
  #page; // {key, page}
  #made = {}; // keys of what the workers have, by method
  #latest = 0;

  // onProgress(fraction), onMade(method).
  constructor({ onProgress, onMade }) {
    Object.assign(this, { onProgress, onMade });
  }

  facts() {
    return this.#views.halftoned.call('facts');
  }

  async view(method, view) {
    return (await this.#views[method].call('view', view)).rgba;
  }

  // Makes everything for a picture and the choices {device, panelSize, width, options,
  // hasCorrection}. Returns what there is to say about it; undefined if later work began.
  async make(picture, choices) {
    const mine = ++this.#latest;
    const done = Object.fromEntries(['page', ...METHODS].map((part) => [part, 0]));
    const report = (part, fraction) => {
      if (mine !== this.#latest) return;
      done[part] = fraction;
      this.onProgress(Object.values(done).reduce((sum, each) => sum + each) / 5);
    };
    try {
      const size = sizeFor(picture, choices);
      const page = await this.#pageFor(picture, size, choices, (part) => report('page', part));
      if (mine !== this.#latest) return undefined;
      const recipe = await this.#recipeFor(choices);
      if (mine !== this.#latest) return undefined;
      const make = (method, onPart = () => {}) =>
        this.#makeDots(method, page, choices.device, recipe, (part) => {
          report(method, part);
          onPart(part);
        });
      const ours = await this.#first((onPart) => make('halftoned', onPart));
      if (mine !== this.#latest) return undefined;
      const others = METHODS.filter((method) => method !== 'halftoned');
      const [{ seconds }] = await Promise.all([ours.made, ...others.map((each) => make(each))]);
      if (mine !== this.#latest) return undefined;
      return { size, page, isFile: this.#opened.isFile, ...recipe, seconds };
    } catch (error) {
      if (error instanceof Canceled || mine !== this.#latest) return undefined;
      throw error;
    }
  }

  // Gives the work a moment alone, so that its time is its own.
  async #first(start) {
    let made;
    await new Promise((resolve) => {
      made = start((part) => part >= 0.5 && resolve());
      made.catch(resolve);
      setTimeout(resolve, ALONE_MS);
    });
    return { made };
  }

  async #pageFor(picture, size, { device }, report) {
    const channels = device.palette ? 3 : 1;
    await this.#open(picture, size);
    const key = JSON.stringify([size, channels]);
    if (this.#page?.picture !== this.#opened.picture || this.#page.key !== key) {
      this.#page = undefined;
      this.#made = {};
      const { picture: own } = this.#opened;
      const crop = picture.drawn ? wholeOf(this.#opened) : size.crop;
      const { page } = await this.#picture.call('page',
        { width: size.width, height: size.height, channels, crop }, { report });
      this.#page = { picture: own, key, page };
    }
    report(1);
    return this.#page.page;
  }

  // A page of a PDF file is drawn with the pixels of the device.
  async #open(picture, size) {
    const key = picture.drawn ? JSON.stringify(size) : '';
    if (this.#opened?.picture === picture && this.#opened.key === key) return;
    this.#opened = undefined;
    const drawn = picture.drawn ? await drawnPart(picture, size) : picture;
    const { bitmap, raw } = drawn;
    const { width, height } = bitmap;
    const keep = !picture.drawn;
    const copy = keep ? await createImageBitmap(bitmap) : bitmap;
    const found = await this.#picture.call('open', { bitmap: copy, raw },
      { transfer: [copy] });
    const isFile = picture.isFile && found.isOpaque && found.isRaw;
    this.#opened = { picture, key, width, height, isFile };
  }

  // The options for the engine: the user's, and the correction for the printer.
  async #recipeFor({ device, options, hasCorrection }) {
    if (device.palette) return { options: {}, type: '' };
    const recipe = { ...options, resolution: device.dpi };
    if (device.technology !== 'laser') {
      recipe.dotGain = hasCorrection ? device.dotGain : 0;
      const { type } = await this.#views.halftoned.call('tone', { options: recipe });
      return { options: recipe, type };
    }
    const { type, printFeedback } = options;
    const only = { resolution: device.dpi, technology: 'laser', ...(type && { type }),
      ...(printFeedback && { printFeedback }) };
    const found = await this.#views.halftoned.call('tone', { options: only });
    const curve = hasCorrection ? curveOf(found.tones) : undefined;
    return { options: curve ? { ...recipe, toneCurve: curve } : { ...recipe, dotGain: 0 },
      type: found.type };
  }

  async #makeDots(method, page, device, { options }, report) {
    const key = JSON.stringify([device, method === 'halftoned' && options]);
    const before = this.#made[method];
    if (before?.page === page && before.key === key) {
      report(1);
      return before.result;
    }
    delete this.#made[method];
    const result = await this.#views[method].call('make', { page, device, method, options },
      { report });
    this.#made[method] = { page, key, result };
    report(1);
    this.onMade(method);
    return result;
  }

  async saveDots() {
    return (await this.#views.halftoned.call('save')).blob;
  }

  async savePage(dpi) {
    return (await this.#picture.call('save', { page: this.#page.page, dpi })).blob;
  }
}

const wholeOf = ({ width, height }) => ({ x: 0, y: 0, width, height });

function sizeFor(picture, { device, panelSize: panel, width }) {
  return device.palette ? panelSize(picture, panel) : printedSize(picture, device, width);
}

// The part of a PDF page that a panel shows, or all of it.
async function drawnPart(picture, { width, height, crop }) {
  const scale = width / crop.width;
  const bitmap = await picture.drawn(Math.max(1, Math.round(picture.width * scale)),
    Math.max(1, Math.round(picture.height * scale)));
  const x = Math.max(0, Math.round(crop.x * scale));
  const y = Math.max(0, Math.round(crop.y * scale));
  return { bitmap: await createImageBitmap(bitmap, x, y, width, height) };
}
