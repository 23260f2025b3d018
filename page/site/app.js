// The page: what is typed is derived, written as code and moved.

const field = (id) => document.getElementById(id);
const EXAMPLES = Object.fromEntries(JSON.parse(field("examples").textContent).map((it) => [it.id, it]));
const TABS = ["derivation", "rust", "c", "javascript", "latex"];
/** So long a part of a frame may be spent on steps, in ms. */
const BUDGET = 9;
const HISTORY = 600;
/** So long the first seconds are looked at before the first picture, in ms; what leaves it later widens it. */
const AHEAD = 3;

const view = new View(field("picture"));
const app = {
  engine: null,
  /** Another one for derivations and code, so that a motion never waits for them. */
  writer: null,
  editor: null,
  /** What the reader has set; all else has a value by itself. */
  settings: {},
  example: null,
  /** The example whose text was changed last, with what was set of it. */
  left: null,
  model: null,
  system: null,
  run: null,
  start: null,
  playing: !matchMedia("(prefers-reduced-motion: reduce)").matches,
  tab: "derivation",
  asked: 0,
  latency: 0,
  trails: [],
  history: [],
};

// ---- what is set --------------------------------------------------------------------------------

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

// ---- the model ----------------------------------------------------------------------------------

/** A text without the spaces in it. */
const squeezed = (text) => text.replace(/\s+/g, "");

const isOf = (name) => name && squeezed(EXAMPLES[name].text) === squeezed(app.editor.text);

/** Start, gravity, speed and note are those of an example, and leave with its text; undone, they come back. */
function keepSettings() {
  const { example, left, settings } = app;
  if (example && !isOf(example)) {
    Object.assign(app, { left: { example, settings }, example: null, settings: {}, selected: null });
    field("note").textContent = field("state").textContent = "";
  } else if (!example && left && isOf(left.example)) {
    Object.assign(app, { ...left, left: null });
    field("note").textContent = EXAMPLES[left.example].note ?? "";
  }
}

/** Asks the engine for what is typed, and moves it. */
async function changed() {
  keepSettings();
  const since = performance.now();
  const asked = ++app.asked;
  field("busy").hidden = false;
  const model = await app.engine.ask("motion", app.editor.text);
  if (model === null || asked !== app.asked) return;
  field("busy").hidden = true;
  if (model.fault) {
    refuse(`The engine failed (a bug in the engine): ${model.fault.split("\n")[0]}`);
    return;
  }
  app.editor.show(model.messages, true);
  field("title").textContent = model.title || "error";
  field("size").textContent = model.size ?? "";
  document.body.classList.toggle("wrong", model.messages.length > 0);
  remember();
  if (model.messages.length > 0) return;
  app.model = model;
  try {
    begin();
    if (app.run) draw();
  } catch (error) {
    refuse(`This model cannot be simulated: ${error.message}`);
  }
  app.latency = performance.now() - since;
  document.documentElement.dataset.latency = app.latency.toFixed(1);
  document.documentElement.dataset.shown = asked;
  await tell();
}

/** The derivation or the code of what is typed. */
async function tell() {
  const { tab, model, editor } = app;
  if (!model || model.messages.length > 0) return;
  const told = await app.writer.ask("derivation", editor.text);
  if (told?.steps) {
    showDerivation(told);
    showCosts(told);
  }
  if (tab === "derivation") return;
  const code = await app.writer.ask(tab, editor.text);
  if (code?.text !== undefined && tab === app.tab) field("code").innerHTML = coloured(code.text);
}

function refuse(reason) {
  Object.assign(app, { system: null, run: null });
  field("refused").textContent = reason;
  field("refused").hidden = false;
  field("controls").disabled = true;
}

/** Puts the model at its start. */
function begin() {
  const { model } = app;
  const system = moved(model);
  showSettings(model);
  if (system.refused) {
    refuse(system.refused);
    return;
  }
  const start = startOf(model, system);
  if (!start) {
    refuse("No start satisfies the constraints; change the parameters.");
    return;
  }
  field("refused").hidden = true;
  field("controls").disabled = false;
  app.system = system;
  app.points = pointsOf(model, system);
  view.down = model.kind !== "system" && fieldOf(model)[1] > 0 ? -1 : 1;
  view.upright = model.kind !== "system" && fieldOf(model).length === 3 && fieldOf(model)[1] !== 0;
  restart(start);
  frame();
}

const speed = () => app.settings.speed ?? 1;
const stepSize = () => app.settings.step ?? Math.min(0.002 * speed(), 0.02);

function restart([q, v]) {
  app.start = [q, v];
  app.run = new Run(app.system, 0, q, v, stepSize());
  app.stopped = false;
  app.owed = 0;
  app.energy = sum(app.run.energies());
  app.history = [];
  app.trails = app.points(0, q).map(() => []);
  record();
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/** The picture holds the start, what it is held on and where the first seconds lead. */
function frame() {
  const { model, system, start: [q, v], points } = app;
  const seen = [...points(0, q)];
  app.links = linksOf(model, system, points, q);
  if (app.links.some(([, b]) => b === null)) seen.push(seen[0].map(() => 0));
  if (model.kind === "curve") seen.push(...trackOf(system));
  else {
    const ahead = new Run(system, 0, q, v, stepSize());
    const until = performance.now() + AHEAD;
    for (let i = 0; i < 4000 && performance.now() < until && ahead.step(); i++) {
      if (i % 5 === 0) seen.push(...points(ahead.t, ahead.q));
    }
  }
  view.frame(seen.length ? seen : [[-1, -1], [1, 1]]);
  app.plane = seen.every((it) => it.length === 2);
  app.wires = app.plane ? wiresOf(model, system, points, q) : [];
  app.pins = [];
  if (model.kind === "constraint" && !model.time) view.frame(seen.concat(closedWires(q)));
  if (model.kind === "system" && !model.time) pinned(q);
  app.traced = null;
  if (model.kind === "constraint" && q.length === 3 && system.rows === 2) {
    const { left, right, low, high } = view.box;
    app.reach = Math.max(right - left, high - low) / 2;
    app.traced = tracedWire(system, 0, q, app.reach);
    view.frame(seen.concat(app.traced));
  } else app.reach = null;
}

/** Wires that end within reach, all of them. */
function closedWires(q) {
  const { left, right, low, high } = view.corners();
  const [width, height] = [right - left, high - low];
  const wide = { left: left - width, right: right + width, low: low - height, high: high + height };
  const isInside = ([x, y]) =>
    x > left - 0.95 * width && x < right + 0.95 * width && y > low - 0.95 * height && y < high + 0.95 * height;
  return app.wires.flatMap(({ value }) => {
    const points = contour(value(0, q), wide, 60, 45).flat();
    return points.every(isInside) ? points : [];
  });
}

/** Points of a mechanism that circles hold: bars from their centres, which are shown in the place of the circles. */
function pinned(q) {
  const of = ({ value }) => centreOf(contour(value(0, q), view.corners(), 48, 36));
  app.wires = app.wires.filter((wire) => {
    const centre = of(wire);
    if (centre) app.pins.push({ point: wire.point, centre });
    return !centre;
  });
}

function trackOf({ domain: [start, end], position }) {
  return Array.from({ length: 721 }, (_, i) => position(start + ((end - start) * i) / 720));
}

// ---- time ---------------------------------------------------------------------------------------

let before = 0;

function tick(now) {
  const passed = Math.min((now - before) / 1000, 0.05);
  before = now;
  if (app.run) {
    if (app.playing && !app.dragged && !app.stopped) advance(passed);
    draw();
    plots();
    numbers();
  }
  requestAnimationFrame(tick);
}

function advance(passed) {
  const { run } = app;
  app.owed += passed * speed();
  const until = performance.now() + BUDGET;
  while (app.owed >= run.h && performance.now() < until) {
    if (!run.step()) {
      app.stopped = true;
      field("state").textContent = whyStopped();
      break;
    }
    app.owed -= run.h;
    if (run.steps % 4 === 0) trace();
  }
  app.owed = Math.min(app.owed, run.h);
  record();
}

function whyStopped() {
  if (app.system.domain) return "The bead has reached the end of its track.";
  return "The motion ends here: the equations have no solution, or the step is too long.";
}

function trace() {
  const { run, points, trails } = app;
  points(run.t, run.q).forEach((point, i) => {
    trails[i].push(point);
    if (trails[i].length > 500) trails[i].shift();
  });
}

function record() {
  const { run, history } = app;
  const [kinetic, potential] = run.energies();
  history.push({ t: run.t, kinetic, potential, drift: run.drift(), multipliers: run.multipliers() });
  if (history.length > HISTORY) history.shift();
}

// ---- the picture --------------------------------------------------------------------------------

let inks = {};

/** A colour of the style sheet as it is now, by light or dark. */
function ink(name) {
  const probe = document.body.appendChild(document.createElement("span"));
  probe.style.color = `var(--${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function takeInks() {
  const names = ["ink", "faint", "line", "surface", "accent", "warm", "green", "violet", "wire"];
  inks = Object.fromEntries(names.map((name) => [name, ink(name)]));
}

function polyline(points) {
  const { pen } = view;
  pen.beginPath();
  points.forEach((point, i) => {
    const [x, y] = view.pixel(point);
    if (i === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  });
}

function draw() {
  if (view.fit()) app.traced = null;
  const { pen, canvas } = view;
  const { model, system, run, points, trails, links } = app;
  const ratio = window.devicePixelRatio || 1;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.lineJoin = pen.lineCap = "round";
  const there = points(run.t, run.q);
  // What is dragged stays under the pointer.
  if (!app.dragged && view.hold(there)) app.traced = null;
  if (there.length === 0 && bodiesOf(model.declared ?? []).length === 0) {
    course(ratio);
    return;
  }
  if (app.plane) grid(ratio);
  else axes(ratio);
  wires(ratio);
  trails.forEach((trail, i) => {
    pen.strokeStyle = [inks.accent, inks.warm, inks.green, inks.violet][i % 4];
    pen.lineWidth = 1.4 * ratio;
    for (let from = 0; from < trail.length - 1; from += 50) {
      pen.globalAlpha = (0.5 * (from + 50)) / (trail.length + 50);
      polyline(trail.slice(from, from + 51));
      pen.stroke();
    }
  });
  pen.globalAlpha = 1;
  const origin = there[0]?.map(() => 0);
  pen.strokeStyle = inks.ink;
  pen.lineWidth = 2.2 * ratio;
  for (const [a, b] of links) {
    polyline([there[a], b === null ? origin : there[b]]);
    pen.stroke();
  }
  for (const { point, centre } of app.pins) {
    polyline([centre, there[point]]);
    pen.stroke();
  }
  for (const { centre } of app.pins) pin(view.pixel(centre), ratio);
  if (links.some(([, b]) => b === null)) pin(view.pixel(origin), ratio);
  drawBodies(ratio);
  there.forEach((point, i) => ball(view.pixel(point), i, there.length, ratio));
}

function pin([x, y], ratio) {
  const { pen } = view;
  pen.fillStyle = inks.surface;
  pen.strokeStyle = inks.ink;
  pen.lineWidth = 1.6 * ratio;
  pen.beginPath();
  pen.arc(x, y, 3.4 * ratio, 0, 7);
  pen.fill();
  pen.stroke();
}

function ball([x, y], i, count, ratio) {
  const { pen } = view;
  const radius = (count > 20 ? 4 : 8) * ratio;
  pen.fillStyle = [inks.accent, inks.warm, inks.green, inks.violet][i % 4];
  pen.strokeStyle = inks.surface;
  pen.lineWidth = 2 * ratio;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
  pen.fill();
  pen.stroke();
  if (app.selected === i && document.activeElement === view.canvas) {
    pen.strokeStyle = inks.ink;
    pen.beginPath();
    pen.arc(x, y, radius + 4 * ratio, 0, 7);
    pen.stroke();
  }
}

function drawBodies(ratio) {
  const { pen } = view;
  const { model, run } = app;
  if (model.kind !== "system") return;
  const { left, right } = view.box;
  const length = (right - left) * 0.09;
  for (const body of bodiesOf(model.declared)) {
    const centre = run.q.slice(body.at, body.at + body.size);
    axesOf(body, run.q).forEach((axis, k) => {
      pen.strokeStyle = [inks.warm, inks.green, inks.accent][k];
      pen.lineWidth = 3 * ratio;
      const end = (sign) => centre.map((x, i) => x + sign * length * axis[i]);
      polyline([end(-1), end(1)]);
      pen.stroke();
    });
  }
}

function wires(ratio) {
  const { pen } = view;
  const { model, system, run } = app;
  pen.strokeStyle = inks.wire;
  pen.lineWidth = 2.6 * ratio;
  if (model.kind === "curve") {
    app.traced ??= trackOf(system);
    polyline(app.traced);
    pen.stroke();
    return;
  }
  if (app.reach !== null) {
    if (model.time || !app.traced) app.traced = tracedWire(system, run.t, run.q, app.reach);
    polyline(app.traced);
    pen.stroke();
  }
  if (app.wires.length === 0) return;
  if (model.time || !app.traced) {
    app.traced = app.wires.flatMap(({ value }) => contour(value(run.t, run.q), view.corners(), 140, 100));
  }
  pen.beginPath();
  for (const [a, b] of app.traced) {
    pen.moveTo(...view.pixel(a));
    pen.lineTo(...view.pixel(b));
  }
  pen.stroke();
}

/** Lengths that are read easily: 1, 2, 5 times a power of ten. */
function round(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * ([1, 2, 5].find((it) => it * power >= length) ?? 10);
}

function grid(ratio) {
  const { pen, canvas } = view;
  const corners = view.corners();
  const unit = round((80 * ratio) / view.scale().unit);
  pen.strokeStyle = inks.line;
  pen.fillStyle = inks.faint;
  pen.lineWidth = ratio;
  pen.font = `${11 * ratio}px system-ui, sans-serif`;
  const label = (x) => String(Number((Math.round(x / unit) * unit).toPrecision(6)));
  for (let x = Math.ceil(corners.left / unit) * unit; x <= corners.right; x += unit) {
    const [px] = view.pixel([x, 0]);
    pen.beginPath();
    pen.moveTo(px, 0);
    pen.lineTo(px, canvas.height);
    pen.stroke();
    pen.fillText(label(x), px + 3 * ratio, canvas.height - 5 * ratio);
  }
  for (let y = Math.ceil(corners.low / unit) * unit; y <= corners.high; y += unit) {
    const [, py] = view.pixel([0, y]);
    pen.beginPath();
    pen.moveTo(0, py);
    pen.lineTo(canvas.width, py);
    pen.stroke();
    pen.fillText(label(y), 4 * ratio, py - 3 * ratio);
  }
  const [across, up] = axisNames(app.model);
  pen.fillStyle = inks.ink;
  pen.font = `italic ${14 * ratio}px system-ui, sans-serif`;
  pen.textAlign = "right";
  pen.fillText(`${across} →`, canvas.width - 6 * ratio, canvas.height - 18 * ratio);
  pen.textAlign = "left";
  pen.fillText(`${view.down < 0 ? "↓" : "↑"} ${up}`, 6 * ratio, 16 * ratio);
}

/** What the axes of the picture are called: the coordinates of a constraint that has no points are those of one. */
function axisNames(model) {
  const own = model.kind === "constraint" && model.declared.every((it) => it.size === 1);
  return own && [2, 3].includes(model.coordinates.length) ? model.coordinates : ["x", "y", "z"];
}

function axes(ratio) {
  const { pen } = view;
  const { left, right } = view.box;
  const length = round((right - left) * 0.15);
  pen.font = `${12 * ratio}px system-ui, sans-serif`;
  axisNames(app.model).forEach((name, k) => {
    const end = [0, 0, 0];
    end[k] = length;
    pen.strokeStyle = pen.fillStyle = inks.faint;
    pen.lineWidth = ratio;
    polyline([[0, 0, 0], end]);
    pen.stroke();
    pen.fillText(name, ...view.pixel(end.map((x) => 1.12 * x)));
  });
}

/** Coordinates over time, of what has no points. */
function course(ratio) {
  const { pen, canvas } = view;
  const { run, model } = app;
  app.courses ??= [];
  if (app.courses.at(-1)?.t > run.t) app.courses = [];
  app.courses.push({ t: run.t, q: run.q });
  if (app.courses.length > HISTORY) app.courses.shift();
  const all = app.courses.flatMap((it) => it.q);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const size = Math.max(high - low, 1e-9);
  const [first, last] = [app.courses[0].t, Math.max(run.t, app.courses[0].t + 1e-6)];
  model.coordinates.slice(0, 8).forEach((name, k) => {
    pen.strokeStyle = pen.fillStyle = [inks.accent, inks.warm, inks.green, inks.violet][k % 4];
    pen.lineWidth = 2 * ratio;
    pen.beginPath();
    for (const { t, q } of app.courses) {
      pen.lineTo(((t - first) / (last - first)) * canvas.width * 0.92, canvas.height * (0.92 - (0.84 * (q[k] - low)) / size));
    }
    pen.stroke();
    pen.font = `${13 * ratio}px system-ui, sans-serif`;
    pen.fillText(name, canvas.width * 0.93, canvas.height * (0.92 - (0.84 * (run.q[k] - low)) / size));
  });
}

// ---- numbers and their courses ------------------------------------------------------------------

function plot(id, lines) {
  const canvas = field(id);
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, width, height);
  const all = lines.flatMap((it) => it.values).filter(Number.isFinite);
  if (all.length === 0) return;
  let [low, high] = [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))];
  const least = Math.max(Math.abs(low), Math.abs(high)) * 1e-6 || 1;
  if (high - low < least) [low, high] = [low - least, high + least];
  pen.lineWidth = 1.5 * ratio;
  pen.lineJoin = "round";
  for (const { values, ink } of lines) {
    pen.strokeStyle = ink;
    pen.beginPath();
    values.forEach((value, i) => {
      const x = (i / Math.max(values.length - 1, 1)) * width;
      pen.lineTo(x, height - 3 * ratio - ((value - low) / (high - low)) * (height - 6 * ratio));
    });
    pen.stroke();
  }
}

function plots() {
  const { history } = app;
  plot("energy-plot", [
    { values: history.map((it) => it.kinetic), ink: inks.warm },
    { values: history.map((it) => it.potential), ink: inks.green },
    { values: history.map((it) => it.kinetic + it.potential), ink: inks.ink },
  ]);
  plot("drift-plot", [{ values: history.map((it) => Math.log10(it.drift + 1e-17)), ink: inks.violet }]);
  const rows = Math.min(history[0].multipliers.length, 8);
  const colours = [inks.accent, inks.warm, inks.green, inks.violet];
  plot("multiplier-plot", Array.from({ length: rows }, (_, row) => ({
    values: history.map((it) => it.multipliers[row]),
    ink: colours[row % 4],
  })));
}

const short = (x) => (Math.abs(x) >= 1e5 || (x !== 0 && Math.abs(x) < 1e-3) ? x.toExponential(2) : x.toPrecision(5));

const tiny = (x) => (x === 0 ? "0" : x.toExponential(1));

function numbers() {
  const { run, system, model } = app;
  const now = app.history.at(-1);
  field("time").textContent = `t = ${run.t.toFixed(2)} s`;
  field("kinetic").textContent = short(now.kinetic);
  field("potential").textContent = short(now.potential);
  field("total").textContent = short(now.kinetic + now.potential);
  field("change").textContent = tiny(now.kinetic + now.potential - app.energy);
  field("drift").textContent = system.rows ? tiny(now.drift) : "none: there are no constraint rows";
  const names = system.trackForce ? ["|force of the track|"] : model.rows ?? [];
  const told = now.multipliers.slice(0, 4).map((value, row) => `${names[row]} ${short(value)}`);
  field("multiplier").textContent = told.join("  ") + (now.multipliers.length > 4 ? " …" : "") || "none";
}

// ---- what is read -------------------------------------------------------------------------------

function showDerivation({ steps }) {
  field("steps").replaceChildren(...steps.map((step) => {
    const item = document.createElement("li");
    const rule = step.rule ? `<span class="rule">${escaped(step.rule)}</span>` : "";
    const content = step.words ? `<p>${escaped(step.words)}.</p>` : step.mathml.join("\n");
    const cost = step.cost ? `<p class="cost">${escaped(step.cost)}</p>` : "";
    item.innerHTML = `<h3>${escaped(step.title)} ${rule}</h3><div class="formula">${content}</div>${cost}`;
    return item;
  }));
}

/** What each function costs, in operations. */
function showCosts({ steps, counted }) {
  const all = steps.filter((it) => it.cost).map((it) => ({ name: it.name, cost: it.cost })).concat(counted);
  field("costs").replaceChildren(...all.map(({ name, cost }) => {
    const item = document.createElement("li");
    item.innerHTML = `<code>${escaped(name)}</code> <b>${escaped(cost.split(" ")[0])}</b>`;
    item.title = cost;
    return item;
  }));
}

function choose(tab, focus = false) {
  app.tab = tab;
  for (const name of TABS) {
    const button = field(`tab-${name}`);
    button.setAttribute("aria-selected", String(name === tab));
    button.tabIndex = name === tab ? 0 : -1;
    if (focus && name === tab) button.focus();
  }
  field("derivation").hidden = tab !== "derivation";
  field("program").hidden = tab === "derivation";
  field("program").setAttribute("aria-labelledby", `tab-${tab}`);
  field("code").textContent = "";
  tell();
}

// ---- settings -----------------------------------------------------------------------------------

function showSettings(model) {
  const rows = [];
  const add = (name, label, value, range, set) => rows.push({ name, label, value, range, set });
  const names = componentNames(model.parameters), values = parameterValues(model);
  const inputs = componentNames(model.inputs ?? []), given = inputValues(model);
  const setting = (name) => (value) => {
    app.settings.set = { ...app.settings.set, [name]: value };
  };
  names.slice(0, 12).forEach((name, i) => add(name, name, values[i], around(values[i]), setting(name)));
  inputs.slice(0, 6).forEach((name, i) => add(name, `${name} (input)`, given[i], [-10, 10], setting(name)));
  if (model.kind !== "system" && !(model.bodies > 0)) {
    const gravity = fieldOf(model), k = gravity.findLastIndex((it) => it !== 0);
    const last = k < 0 ? gravity.length - 1 : k;
    add("mass", "mass", app.settings.mass ?? 1, [0.1, 10], (value) => (app.settings.mass = value));
    const along = `${gravity[last] < 0 ? "−" : ""}${axisNames(model)[last % axisNames(model).length] ?? "y"}`;
    add("gravity", `gravity along ${along}`, Math.abs(gravity[last] ?? 0), [0, 20], (value) => {
      const sign = gravity[last] > 0 ? 1 : -1;
      app.settings.gravity = gravity.map((it, i) => (it !== 0 || i === last ? sign * value : 0));
    });
  }
  if (model.kind === "curve") add("damping", "damping", app.settings.damping ?? 0, [0, 2], (value) => (app.settings.damping = value));
  add("speed", "speed of time", speed(), [0.1, 10], (value) => (app.settings.speed = value));
  const signature = rows.map((it) => it.name).join();
  const list = field("settings");
  if (list.dataset.signature === signature && list.contains(document.activeElement)) return;
  list.dataset.signature = signature;
  list.replaceChildren(...rows.map(settingRow));
}

/** What a slider of a value goes through. */
function around(value) {
  const size = Math.abs(value) || 1;
  return value < 0 ? [-3 * size, 0] : [0, 3 * size];
}

function settingRow({ label, value, range: [least, most], set }) {
  const row = document.createElement("label");
  const name = document.createElement("span"), slider = document.createElement("input"), number = document.createElement("input");
  name.textContent = label;
  Object.assign(slider, { type: "range", min: least, max: most, step: "any", value });
  Object.assign(number, { type: "number", step: "any", value: Number(value.toPrecision(6)) });
  slider.setAttribute("aria-label", label);
  number.setAttribute("aria-label", `${label}, number`);
  const take = (text, other) => {
    const value = Number(text);
    if (text === "" || !Number.isFinite(value)) return;
    other.value = Number(value.toPrecision(6));
    set(value);
    delete app.settings.example;
    begin();
    remember();
  };
  slider.addEventListener("input", () => take(slider.value, number));
  number.addEventListener("input", () => take(number.value, slider));
  row.append(name, slider, number);
  return row;
}

// ---- the bead in the hand -----------------------------------------------------------------------

function pointerPixel(event) {
  const box = view.canvas.getBoundingClientRect(), ratio = view.canvas.width / box.width;
  return [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
}

function nearestPoint(pixel, most) {
  const { run, points } = app;
  const away = points(run.t, run.q).map((point) => distance(view.pixel(point), pixel));
  const nearest = away.indexOf(Math.min(...away));
  return away[nearest] <= most ? nearest : null;
}

/** The state nearest to one in which a point is where the pointer is. */
function reached(i, pixel) {
  const { system, run, points } = app;
  if (system.domain) return [nearestParameter(system, pixel)];
  let q = run.q.slice();
  for (let round = 0; round < 12; round++) {
    const there = view.pixel(points(run.t, q)[i]);
    const miss = pixel.map((x, k) => x - there[k]);
    if (Math.hypot(...miss) < 0.5) break;
    const slopes = q.map((x, k) => {
      const h = 1e-6 * (1 + Math.abs(x)), nearby = q.slice();
      nearby[k] += h;
      return view.pixel(points(run.t, nearby)[i]).map((y, part) => (y - there[part]) / h);
    });
    // q + Jᵀ (J Jᵀ + ε)⁻¹ miss
    const entry = (a, b) => slopes.reduce((sum, it) => sum + it[a] * it[b], 0);
    const [xx, xy, yy] = [entry(0, 0), entry(0, 1), entry(1, 1)];
    const more = 1e-6 * (xx + yy) + 1e-30, determinant = (xx + more) * (yy + more) - xy * xy;
    const x = ((yy + more) * miss[0] - xy * miss[1]) / determinant, y = ((xx + more) * miss[1] - xy * miss[0]) / determinant;
    const next = q.map((old, k) => old + slopes[k][0] * x + slopes[k][1] * y);
    const found = consistent(system, run.t, next, run.v.map(() => 0));
    if (!found) break;
    const closer = distance(view.pixel(points(run.t, found[0])[i]), pixel) < Math.hypot(...miss) - 1e-3;
    if (!closer && round > 0) break;
    q = found[0];
  }
  return q;
}

function nearestParameter({ domain: [start, end], position }, pixel) {
  const away = (s) => distance(view.pixel(position(s)), pixel);
  const count = 2000, width = (end - start) / count;
  let best = start;
  for (let i = 0; i <= count; i++) if (away(start + i * width) < away(best)) best = start + i * width;
  let low = Math.max(start, best - width), high = Math.min(end, best + width);
  for (let i = 0; i < 60; i++) {
    const left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (away(left) < away(right)) high = right;
    else low = left;
  }
  return (low + high) / 2;
}

function put(q) {
  const { model } = app;
  restart([q, app.run.v.map(() => 0)]);
  const from = {};
  model.coordinates.forEach((name, k) => (from[name] = q[k]));
  app.settings.from = from;
}

function held() {
  view.canvas.addEventListener("pointerdown", (event) => {
    if (!app.run) return;
    const pixel = pointerPixel(event);
    const ratio = window.devicePixelRatio || 1;
    const i = nearestPoint(pixel, 40 * ratio);
    view.canvas.setPointerCapture(event.pointerId);
    if (i !== null) {
      app.selected = i;
      app.dragged = { i };
      put(reached(i, pixel));
    } else if (!app.plane) app.dragged = { turning: [event.clientX, event.clientY] };
  });
  view.canvas.addEventListener("pointermove", (event) => {
    if (!app.dragged) return;
    if (app.dragged.turning) {
      const [x, y] = app.dragged.turning;
      view.turn.azimuth += (event.clientX - x) * 0.008;
      view.turn.elevation = Math.min(1.5, Math.max(-1.5, view.turn.elevation + (event.clientY - y) * 0.008));
      app.dragged.turning = [event.clientX, event.clientY];
      if (app.model.kind !== "curve") app.traced = null;
    } else put(reached(app.dragged.i, pointerPixel(event)));
  });
  for (const name of ["pointerup", "pointercancel"]) {
    view.canvas.addEventListener(name, () => {
      if (app.dragged) remember();
      app.dragged = null;
    });
  }
  view.canvas.addEventListener("keydown", (event) => {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === " ") play(!app.playing);
    else if (event.key === "Enter" || event.key === "Home") again();
    else if (ways[event.key] && app.run) nudge(ways[event.key]);
    else return;
    event.preventDefault();
  });
}

function nudge(way) {
  const { run, points } = app;
  app.selected ??= 0;
  const point = points(run.t, run.q)[app.selected];
  if (!point) return;
  const length = 14 * (window.devicePixelRatio || 1);
  play(false);
  put(reached(app.selected, view.pixel(point).map((x, k) => x + length * way[k])));
  field("state").textContent = app.model.coordinates.slice(0, 6).map((name, k) => `${name} = ${short(app.run.q[k])}`).join(", ");
  remember();
}

function play(playing) {
  app.playing = playing;
  field("play").textContent = playing ? "Pause" : "Play";
  field("play").setAttribute("aria-pressed", String(playing));
}

function again() {
  if (app.start) restart(app.start);
  field("state").textContent = "";
}

// ---- the address --------------------------------------------------------------------------------

/** What is typed and set, in the part of the address that no server sees. */
function remember() {
  const { settings, example, editor } = app;
  const whole = example && EXAMPLES[example].text === editor.text;
  const state = new URLSearchParams();
  if (whole) state.set("example", example);
  else state.set("text", editor.text);
  const own = whole ? changes(settings, EXAMPLES[example].settings) : settings;
  if (Object.keys(own).length > 0) state.set("settings", JSON.stringify(own));
  if (app.tab !== "derivation") state.set("tab", app.tab);
  const address = `#${state}`;
  if (location.hash !== address) history.replaceState(null, "", address);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.example === example && whole) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function changes(settings, before) {
  const differs = ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(settings).filter(differs));
}

/** Shows what an address says. */
async function recall() {
  const state = new URLSearchParams(location.hash.slice(1));
  const name = state.get("example") ?? (state.has("text") ? null : Object.keys(EXAMPLES)[0]);
  const example = EXAMPLES[name];
  let own = {};
  try {
    own = JSON.parse(state.get("settings") ?? "{}");
  } catch {
    // An address that somebody cut short shows its model all the same.
  }
  app.example = example ? name : null;
  app.left = null;
  app.settings = { ...structuredClone(example?.settings ?? {}), ...own };
  app.editor.text = example?.text ?? state.get("text") ?? "x^2 + y^2 == 1";
  view.turn = { ...SPACE_VIEW };
  app.selected = null;
  field("state").textContent = "";
  field("note").textContent = example?.note ?? "";
  if (TABS.includes(state.get("tab"))) choose(state.get("tab"));
  await changed();
}

function listExamples() {
  const groups = new Map();
  for (const [name, { group, title }] of Object.entries(EXAMPLES)) {
    const link = document.createElement("a");
    link.href = `#example=${name}`;
    link.dataset.example = name;
    link.textContent = title;
    const item = document.createElement("li");
    item.append(link);
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(item);
  }
  for (const [group, items] of groups) {
    const list = document.createElement("ul"), heading = document.createElement("h2");
    heading.textContent = group;
    list.append(...items);
    field("list").append(heading, list);
  }
}

// ---- the beginning ------------------------------------------------------------------------------

async function open() {
  takeInks();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", takeInks);
  listExamples();
  held();
  app.editor = new Editor(
    { field: field("text"), colours: field("colours"), marks: field("marks"), list: field("messages"), summary: field("summary") },
    changed,
  );
  for (const name of TABS) field(`tab-${name}`).addEventListener("click", () => (choose(name), remember()));
  field("tabs").addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    choose(TABS[(TABS.indexOf(app.tab) + way + TABS.length) % TABS.length], true);
    remember();
    event.preventDefault();
  });
  field("play").addEventListener("click", () => play(!app.playing));
  field("again").addEventListener("click", again);
  field("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(field("code").textContent);
    field("state").textContent = "Copied.";
  });
  play(app.playing);
  choose("derivation");
  try {
    app.engine = await Engine.load(field("engine").textContent.trim(), field("worker").textContent);
    app.writer = new Engine(app.engine.module, app.engine.source);
  } catch (error) {
    field("refused").textContent = `This browser cannot run the engine: ${error.message}`;
    field("refused").hidden = false;
    return;
  }
  addEventListener("hashchange", recall);
  await recall();
  requestAnimationFrame(tick);
}

open();
