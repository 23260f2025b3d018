// Values of parameters and the state to start from: what is set, otherwise the defaults.

/** The names of the components of fields, one after the other, as the engine spells them. */
function componentNames(fields) {
  return fields.flatMap(({ name, size, lengths }) => {
    let names = [name];
    for (const length of lengths ?? []) names = names.flatMap((it) => Array.from({ length }, (_, i) => `${it}[${i}]`));
    return size === 1 ? names : names.flatMap((it) => ["x", "y", "z"].slice(0, size).map((part) => `${it}.${part}`));
  });
}

function parameterValues(model) {
  const defaults = model.parameters.flatMap((field, i) => {
    const own = model.defaults?.[i];
    return own ?? new Array(numbersOf(field)).fill(null);
  });
  const { set = {} } = app.settings;
  return componentNames(model.parameters).map((name, i) => set[name] ?? set[name.split(/[[.]/)[0]] ?? defaults[i] ?? 1);
}

function inputValues(model) {
  const { set = {} } = app.settings;
  return componentNames(model.inputs ?? []).map((name) => set[name] ?? set[name.split(/[[.]/)[0]] ?? 0);
}

/** Along which coordinate a particle's weight pulls: the last, downwards. */
function fieldOf(model) {
  const { gravity } = app.settings;
  const size = model.kind === "curve" ? model.dimension : model.coordinates.length;
  if (gravity?.length === size) return gravity;
  const dimension = model.kind === "curve" ? size : (model.declared?.find((it) => it.size > 1)?.size ?? size);
  return Array.from({ length: size }, (_, i) => (dimension > 1 && (i + 1) % dimension === 0 ? -9.81 : 0));
}

function moved(model) {
  const { mass = 1, damping = 0 } = app.settings;
  const [parameters, inputs] = [parameterValues(model), inputValues(model)];
  return moving(model, { parameters, inputs, mass, damping, gravity: model.kind === "system" ? [] : fieldOf(model) });
}

/** Elements of an array one after the other, so far apart: `{ bead: [0.5, 0] }`. */
function spread(model) {
  const apart = app.settings.spread ?? {};
  const places = model.coordinates.flatMap((name) => {
    const [, array, index, part] = name.match(/^(\w+)\[(\d+)\]\.([xyz])$/) ?? [];
    const step = apart[array]?.["xyz".indexOf(part)];
    return step === undefined ? [] : [[name, (Number(index) + 1) * step]];
  });
  return Object.fromEntries(places);
}

/** A state to start from: that which is set, else one that the constraints allow. */
function startOf(model, system) {
  const from = { ...spread(model), ...app.settings.from };
  const v = model.velocities.map((name) => from[name] ?? 0);
  if (model.kind === "curve") {
    const [start, end] = system.domain, part = app.settings.part ?? 0.1;
    return [[from[model.coordinates[0]] ?? start + part * (end - start)], v];
  }
  const turns = new Set(turnsOf(model.kind === "system" ? model.declared : []).flatMap(([at, n]) => [...Array(n).keys()].map((i) => at + i)));
  const reals = new Set(turnsOf(model.kind === "system" ? model.declared : []).map(([at, n]) => (n === 2 ? at : at + 3)));
  for (let attempt = 0; attempt < 12; attempt++) {
    let seed = 7 + 31 * attempt;
    const random = () => ((seed = (seed * 48271) % 2147483647) / 2147483647) * 2 - 1;
    const q = model.coordinates.map((name, k) => {
      const guess = turns.has(k) ? Number(reals.has(k)) : 0.6 + 0.15 * (k % 7) + 0.5 * attempt * random();
      return from[name] ?? guess;
    });
    const found = consistent(system, 0, q, v);
    if (found) return found;
  }
  return null;
}
