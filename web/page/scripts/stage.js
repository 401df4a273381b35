// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage: the page by two methods, with a divider between them that moves; and a frame
// around what the magnifier shows. Both views move and zoom together.

import { METHODS } from './devices.js';
import { Pane } from './pane.js';

const MOST_ZOOM = 24; // CSS pixels per pixel of the page
const LENS = [0.585, 0.44]; // where it begins, as parts of the page
const FRAME = 22; // the frame is at least as large, in CSS pixels

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

export class Stage {
  #element;
  #panes = {};
  #page = { width: 4, height: 3 };
  #fit = true;
  #step = 1; // pixels of the page per CSS pixel
  #center = { x: 2, y: 1.5 };
  #divider = 0.5;
  mode = 'print';
  sides = { left: 'plain', right: 'halftoned' };
  // Of the magnifier: its center, and its size in pixels of the page.
  lens = { x: 2, y: 1.5, width: 1, height: 1 };

  // ask(method, view): as in pane.js. onLens, onZoom: called after the user's changes.
  constructor(element, { ask, onLens, onZoom }) {
    this.#element = element;
    Object.assign(this, { onLens, onZoom });
    for (const method of METHODS) {
      const canvas = element.querySelector(`canvas[data-method=${method}]`);
      this.#panes[method] = new Pane(canvas, (view) => ask(method, view));
    }
    this.surface = element.querySelector('.surface');
    this.handle = element.querySelector('.divider');
    this.frame = element.querySelector('.frame');
    new ResizeObserver(() => this.refresh()).observe(this.surface);
    this.#listenToDivider();
    this.#listenToSurface();
  }

  get isSettled() {
    return Object.values(this.#panes).every((pane) => pane.isSettled);
  }

  // CSS pixels per pixel of the page.
  get zoom() {
    return 1 / this.#step;
  }

  get step() {
    return this.#step;
  }

  #fitStep() {
    const { clientWidth, clientHeight } = this.surface;
    return Math.max(this.#page.width / (clientWidth || 1), this.#page.height / (clientHeight || 1));
  }

  setPage(page) {
    const isSame = page.width === this.#page.width && page.height === this.#page.height;
    this.#page = page;
    if (!isSame) {
      this.#fit = true;
      this.lens.x = page.width * LENS[0];
      this.lens.y = page.height * LENS[1];
    }
    this.refresh();
  }

  clear() {
    for (const pane of Object.values(this.#panes)) pane.clear();
  }

  // Zooms by a factor, about a place in CSS pixels; the middle, by default.
  zoomBy(factor, place) {
    const { clientWidth, clientHeight } = this.surface;
    const [x, y] = place ?? [clientWidth / 2, clientHeight / 2];
    const step = clamp(this.#step / factor, 1 / MOST_ZOOM, this.#fitStep());
    this.#center.x += (x - clientWidth / 2) * (this.#step - step);
    this.#center.y += (y - clientHeight / 2) * (this.#step - step);
    this.#step = step;
    this.#fit = step >= this.#fitStep() * 0.999;
    this.refresh();
    this.onZoom();
  }

  zoomTo(step, center) {
    this.#fit = false;
    this.#step = clamp(step, 1 / MOST_ZOOM, this.#fitStep());
    if (center) this.#center = { ...center };
    this.refresh();
    this.onZoom();
  }

  fit() {
    this.#fit = true;
    this.refresh();
    this.onZoom();
  }

  moveLens(x, y) {
    this.lens.x = clamp(x, 0, this.#page.width);
    this.lens.y = clamp(y, 0, this.#page.height);
    this.onLens();
    this.#placeFrame();
  }

  pan(dx, dy) {
    this.#center.x += dx * this.#step;
    this.#center.y += dy * this.#step;
    this.refresh();
  }

  refresh() {
    const { clientWidth, clientHeight } = this.surface;
    if (clientWidth === 0) return;
    const most = this.#fitStep();
    if (this.#fit || this.#step > most) this.#step = most;
    for (const [side, size, room] of [['x', this.#page.width, clientWidth],
      ['y', this.#page.height, clientHeight]]) {
      const half = (room * this.#step) / 2;
      this.#center[side] = size <= 2 * half ? size / 2
        : clamp(this.#center[side], half, size - half);
    }
    const shown = new Set(Object.values(this.sides));
    for (const method of METHODS) {
      const pane = this.#panes[method];
      const canvas = this.surface.querySelector(`canvas[data-method=${method}]`);
      canvas.hidden = !shown.has(method);
      canvas.classList.toggle('left', this.sides.left === method);
      if (shown.has(method)) pane.show(this.#center, this.#step, this.mode);
    }
    this.#placeDivider();
    this.#placeFrame();
  }

  #placeDivider() {
    const percent = Math.round(this.#divider * 1000) / 10;
    this.#element.style.setProperty('--divider', `${percent}%`);
    this.handle.setAttribute('aria-valuenow', Math.round(percent));
    this.handle.setAttribute('aria-valuetext', `${Math.round(percent)} % from the left`);
  }

  #placeFrame() {
    const { clientWidth, clientHeight } = this.surface;
    const width = Math.max(FRAME, this.lens.width / this.#step);
    const height = Math.max(FRAME, this.lens.height / this.#step);
    const x = (this.lens.x - this.#center.x) / this.#step + clientWidth / 2;
    const y = (this.lens.y - this.#center.y) / this.#step + clientHeight / 2;
    Object.assign(this.frame.style, {
      width: `${width}px`, height: `${height}px`,
      transform: `translate(${x - width / 2}px, ${y - height / 2}px)`,
    });
  }

  // The place on the page of an event.
  #placeOf(event) {
    const box = this.surface.getBoundingClientRect();
    return {
      x: (event.clientX - box.left - box.width / 2) * this.#step + this.#center.x,
      y: (event.clientY - box.top - box.height / 2) * this.#step + this.#center.y,
    };
  }

  setDivider(part) {
    this.#divider = clamp(part, 0, 1);
    this.#placeDivider();
  }

  #listenToDivider() {
    const keys = { ArrowLeft: -0.02, ArrowDown: -0.02, ArrowRight: 0.02, ArrowUp: 0.02,
      PageDown: -0.1, PageUp: 0.1, Home: -1, End: 1 };
    this.handle.addEventListener('keydown', (event) => {
      if (!(event.key in keys)) return;
      event.preventDefault();
      event.stopPropagation();
      this.setDivider(this.#divider + keys[event.key]);
    });
    drag(this.handle, (event) => {
      const box = this.surface.getBoundingClientRect();
      this.setDivider((event.clientX - box.left) / box.width);
    });
  }

  #listenToSurface() {
    drag(this.frame, (event) => {
      const { x, y } = this.#placeOf(event);
      this.moveLens(x, y);
    });
    drag(this.surface, (event, moved) => {
      if (!this.#fit && moved) return this.pan(-event.movementX, -event.movementY);
      const { x, y } = this.#placeOf(event);
      return this.moveLens(x, y);
    });
    this.surface.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = this.surface.getBoundingClientRect();
      this.zoomBy(2 ** (-event.deltaY / 200), [event.clientX - box.left, event.clientY - box.top]);
    }, { passive: false });
    this.surface.addEventListener('keydown', (event) => this.#onKey(event));
  }

  #onKey(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (way) {
      const far = event.shiftKey ? 64 : 12;
      this.moveLens(this.lens.x + way[0] * far * this.#step,
        this.lens.y + way[1] * far * this.#step);
      if (!this.#fit) this.zoomTo(this.#step, this.lens);
    } else if (event.key === '+' || event.key === '=') {
      this.zoomTo(this.#step / 1.5, this.lens);
    } else if (event.key === '-') {
      this.zoomBy(1 / 1.5);
    } else if (event.key === '0') {
      this.fit();
    } else {
      return;
    }
    event.preventDefault();
  }
}

// Calls move(event, moved) while the primary button is held; moved: since it was pressed.
export function drag(element, move) {
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || event.target.closest('.divider, .frame') !==
        element.closest('.divider, .frame')) return;
    element.setPointerCapture(event.pointerId);
    move(event, false);
    const onMove = (next) => move(next, true);
    element.addEventListener('pointermove', onMove);
    const end = () => element.removeEventListener('pointermove', onMove);
    element.addEventListener('lostpointercapture', end, { once: true });
  });
}
