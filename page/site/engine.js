// The engine, asked from the page: one question at a time, the newest of each kind.

/** A question that takes longer than this is given up for a newer one of its kind. */
const PATIENCE = 400;

class Engine {
  constructor(module, source) {
    Object.assign(this, { module, source, waiting: new Map(), asked: null, count: 0 });
    this.start();
  }

  static async load(packed, source) {
    const program = new Unpacker(bytesOf(packed)).run();
    return new Engine(await WebAssembly.compile(program), source);
  }

  start() {
    const address = URL.createObjectURL(new Blob([this.source], { type: "text/javascript" }));
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.worker.onmessage = ({ data }) => this.answered(data);
    this.worker.postMessage({ module: this.module });
  }

  /** The answer to a request; `null` where a newer question of its kind took its place. */
  ask(request, text) {
    this.waiting.get(request)?.tell(null);
    const answer = new Promise((tell) => this.waiting.set(request, { request, text, tell }));
    const { asked } = this;
    if (asked?.request === request && performance.now() - asked.since > PATIENCE) this.giveUp();
    this.next();
    return answer;
  }

  giveUp() {
    this.worker.terminate();
    this.asked.tell(null);
    this.asked = null;
    this.start();
  }

  next() {
    if (this.asked || this.waiting.size === 0) return;
    const first = this.waiting.get("motion") ?? this.waiting.values().next().value;
    this.waiting.delete(first.request);
    this.asked = { ...first, id: ++this.count, since: performance.now() };
    this.worker.postMessage({ id: this.asked.id, request: first.request, text: first.text });
  }

  answered({ id, answer }) {
    if (this.asked?.id !== id) return;
    const { tell } = this.asked;
    this.asked = null;
    tell(answer);
    this.next();
  }
}
