// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long work in a worker, that gives way to messages.

export class Canceled extends Error {}

// Lets messages that have come be handled first.
const giveWay = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(null);
});

// Only one job runs at a time: starting one cancels the one before.
export class Jobs {
  constructor() {
    this.latest = 0;
  }

  // Calls work(pause); pause(fraction) gives way, reports progress, and throws Canceled
  // once another job has started.
  async run(work, report) {
    const mine = ++this.latest;
    const check = () => {
      if (mine !== this.latest) throw new Canceled();
    };
    let last = performance.now();
    const pause = async (fraction) => {
      if (performance.now() - last < 12) return;
      report(fraction);
      await giveWay();
      check();
      last = performance.now();
    };
    await giveWay();
    check();
    return work(pause, check);
  }
}

// Answers messages {call, id, ...} by handlers[call]; errors become {id, error}.
export function serve(handlers) {
  self.onmessage = async ({ data }) => {
    const { call, id, ...words } = data;
    try {
      const [result, transfer = []] = (await handlers[call](words, id)) ?? [];
      self.postMessage({ id, result }, transfer);
    } catch (error) {
      const canceled = error instanceof Canceled;
      self.postMessage({ id, error: { message: String(error.message ?? error), canceled } });
    }
  };
}
