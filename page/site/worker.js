// The engine in a thread of its own: a program that reads a request and writes its answer, run anew for each.

/** What a program of WASI asks its surroundings for: standard input, standard output, nothing else. */
function surroundings(input, output, memory) {
  let read = 0;
  const view = () => new DataView(memory().buffer);
  const bytes = (at) => {
    const it = view();
    return new Uint8Array(memory().buffer, it.getUint32(at, true), it.getUint32(at + 4, true));
  };
  const none = (count, size) => {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return 0;
  };
  const each = (vectors, count, total, transfer) => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += transfer(bytes(vectors + 8 * i));
    view().setUint32(total, sum, true);
    return 0;
  };
  return {
    fd_read: (file, vectors, count, total) =>
      each(vectors, count, total, (room) => {
        const part = input.subarray(read, read + room.length);
        room.set(part);
        read += part.length;
        return part.length;
      }),
    fd_write: (file, vectors, count, total) =>
      each(vectors, count, total, (part) => {
        output[file === 1 ? "said" : "complained"].push(part.slice());
        return part.length;
      }),
    environ_sizes_get: none,
    environ_get: () => 0,
    args_sizes_get: none,
    args_get: () => 0,
    proc_exit: (code) => {
      throw new Error(`exit ${code}`);
    },
  };
}

function text(parts) {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}

function answer(module, request, model) {
  const input = new TextEncoder().encode(`${request}\n${model}`);
  const output = { said: [], complained: [] };
  let instance;
  try {
    const wasi = surroundings(input, output, () => instance.exports.memory);
    instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi });
    instance.exports._start();
    return JSON.parse(text(output.said));
  } catch (error) {
    return { fault: text(output.complained) || String(error) };
  }
}

let engine;
onmessage = ({ data }) => {
  if (data.module) {
    engine = data.module;
    return;
  }
  postMessage({ id: data.id, answer: answer(engine, data.request, data.text) });
};
