// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A canvas that shows a view of a page by one method. Views come from a worker; until the
// next one has come, the last one is shown where it belongs.

export class Pane {
  #canvas;
  #context;
  #last; // {view, bitmap}
  #wanted;
  #isAsking = false;

  // ask(view): a promise of RGBA, or null.
  constructor(canvas, ask) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
    this.ask = ask;
  }

  // center: {x, y} on the page; step: pixels of the page per CSS pixel; mode: 'dots' or
  // 'print'.
  show(center, step, mode) {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const width = Math.round(this.#canvas.clientWidth * ratio);
    const height = Math.round(this.#canvas.clientHeight * ratio);
    if (width === 0 || height === 0) return;
    const own = step / ratio;
    this.#wanted = {
      x: center.x - (width / 2) * own, y: center.y - (height / 2) * own,
      step: own, width, height, mode,
    };
    this.#draw();
    this.#next();
  }

  // Forgets what it shows.
  clear() {
    this.#last = undefined;
    this.#wanted = undefined;
    this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  get isSettled() {
    return !this.#isAsking;
  }

  async #next() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#wanted) {
      const view = this.#wanted;
      this.#wanted = undefined;
      try {
        const rgba = await this.ask(view);
        if (!rgba) continue;
        const bitmap = await createImageBitmap(new ImageData(rgba, view.width, view.height));
        this.#last?.bitmap.close();
        this.#last = { view, bitmap };
        this.#draw();
      } catch {
        // The page says what is wrong with its dots.
      }
    }
    this.#isAsking = false;
  }

  #draw() {
    const now = this.#wanted ?? this.#last?.view;
    if (!now) return;
    const canvas = this.#canvas;
    if (canvas.width !== now.width || canvas.height !== now.height) {
      canvas.width = now.width;
      canvas.height = now.height;
    }
    const context = this.#context;
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (!this.#last) return;
    const { view, bitmap } = this.#last;
    const scale = view.step / now.step;
    context.drawImage(bitmap, (view.x - now.x) / now.step, (view.y - now.y) / now.step,
      view.width * scale, view.height * scale);
  }
}
