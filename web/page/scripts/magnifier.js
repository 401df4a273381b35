// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enlarged parts of a page by all methods, at the same place.

import { METHODS } from './devices.js';
import { Pane } from './pane.js';
import { drag } from './stage.js';

export class Magnifier {
  #panes = {};
  #canvases = {};
  #element;
  zoom = 5; // CSS pixels per pixel of the page
  mode = 'print';

  // stage: has the place of the lens.
  constructor(element, { ask, stage }) {
    this.#element = element;
    this.stage = stage;
    for (const method of METHODS) {
      const canvas = element.querySelector(`[data-method=${method}] canvas`);
      this.#canvases[method] = canvas;
      this.#panes[method] = new Pane(canvas, (view) => ask(method, view));
      drag(canvas, (event, moved) => {
        if (!moved) return;
        const { x, y } = stage.lens;
        stage.moveLens(x - event.movementX / this.zoom, y - event.movementY / this.zoom);
      });
    }
    new ResizeObserver(() => this.refresh()).observe(this.#canvases.original);
  }

  get isSettled() {
    return Object.values(this.#panes).every((pane) => pane.isSettled);
  }

  name(methods) {
    for (const [method, name] of methods) {
      const figure = this.#element.querySelector(`[data-method=${method}]`);
      figure.querySelector('figcaption').textContent = name;
      figure.querySelector('canvas').setAttribute('aria-label', `${name}, enlarged`);
    }
  }

  clear() {
    for (const pane of Object.values(this.#panes)) pane.clear();
  }

  // Tells the stage the size of the lens, and shows it.
  refresh() {
    const { clientWidth, clientHeight } = this.#canvases.original;
    const { lens } = this.stage;
    lens.width = clientWidth / this.zoom;
    lens.height = clientHeight / this.zoom;
    for (const method of METHODS) this.#panes[method].show(lens, 1 / this.zoom, this.mode);
  }
}
