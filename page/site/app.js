// The page: what is typed is derived, written as code and moved.

const field = (id) => document.getElementById(id);
const EXAMPLES = Object.fromEntries(JSON.parse(field("examples").textContent).map((it) => [it.id, it]));
const TABS = ["derivation", "rust", "c", "javascript", "python", "latex"];
/** So long a part of a frame may be spent on steps, in ms; at least so long on those without projection. */
const BUDGET = 9;
const REST = 2;
const HISTORY = 600;
/** The time between two pictures of a film, in s. */
const PICTURE = 1 / 50;
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
  /** Arrows, trails and the coordinate of the phase portrait, where the reader has chosen. */
  show: {},
  model: null,
  system: null,
  run: null,
  /** The same motion without projection. */
  free: null,
  start: null,
  playing: !matchMedia("(prefers-reduced-motion: reduce)").matches,
  tab: "derivation",
  asked: 0,
  latency: 0,
  trails: [],
  history: [],
  /** Times and drifts of the motion without projection. */
  unprojected: [],
};

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
  } else if (told) {
    field("steps").textContent = refusal(told);
  }
  if (tab === "derivation") return;
  const code = await app.writer.ask(tab, editor.text);
  if (!code || tab !== app.tab) return;
  if (code.text === undefined) field("code").textContent = refusal(code);
  else field("code").innerHTML = coloured(code.text);
}

/** Why the engine has no answer: what it found, or its own fault. */
function refusal({ messages, fault }) {
  return fault ?? messages.map(({ message, help }) => (help ? `${message}\nhelp: ${help}` : message)).join("\n");
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
  app.grips = gripsOf(model, app.points, start[0]);
  app.longest = {};
  app.shapes = shapesOf(model, system, start[0]);
  view.down = model.kind !== "system" && fieldOf(model)[1] > 0 ? -1 : 1;
  view.upright = model.kind !== "system" && fieldOf(model).length === 3 && fieldOf(model)[1] !== 0;
  restart(start);
  frame();
  showToggles();
  listPhaseCoordinates();
}

const speed = () => app.settings.speed ?? 1;
const stepSize = () => app.settings.step ?? Math.min(0.002 * speed(), 0.02);

function restart([q, v]) {
  app.start = [q, v];
  app.run = new Run(app.system, 0, q, v, stepSize());
  app.free = app.system.rows > 0 ? new Run(app.system, 0, q, v, stepSize(), { projects: false }) : null;
  app.log = new Log(app.run);
  app.stopped = false;
  app.owed = 0;
  app.energy = sum(app.run.energies());
  app.history = [];
  app.unprojected = [];
  app.trails = app.points(0, q).map(() => []);
  record();
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/** The picture holds the start, what it is held on and where the first seconds lead. */
function frame() {
  const { model, system, start: [q, v], points } = app;
  const seen = [...points(0, q), ...app.shapes.flatMap((shape) => cornersOf(shape, q))];
  app.links = linksOf(model, system, points, q);
  if (app.links.some(({ b }) => b === null)) seen.push(seen[0].map(() => 0));
  if (model.kind === "curve") seen.push(...trackOf(system));
  if (points(0, q).length > 0) {
    const ahead = new Run(system, 0, q, v, stepSize());
    const until = performance.now() + AHEAD;
    for (let i = 0; i < 4000 && performance.now() < until && ahead.step(); i++) {
      if (i % 5 === 0) seen.push(...points(ahead.t, ahead.q));
      if (i % 20 === 0) noteArrows(arrowsOf(ahead));
    }
  }
  view.frame(seen.length ? seen : [[-1, -1], [1, 1]]);
  app.plane = seen.every((it) => it.length === 2);
  app.wires = app.plane ? wiresOf(model, system, points, q) : [];
  app.pins = [];
  if (model.kind === "constraint" && !model.time) view.frame(seen.concat(closedWires(q)));
  if (model.kind === "system" && !model.time) {
    pinned(q);
    if (app.pins.length > 0) view.frame(seen.concat(app.pins.map((it) => it.centre)));
  }
  app.traced = app.reach = null;
  if (model.kind === "constraint" && q.length === 3 && system.rows === 2) view.frame(seen.concat(reachedWire(q)));
}

/** The wire of a point in space: all of it if it is closed and not much larger than the motion, else the part nearby. */
function reachedWire(q) {
  const { left, right, low, high } = view.box, near = Math.max(right - left, high - low) / 2;
  for (app.reach = near; app.reach <= 16 * near; app.reach *= 2) {
    app.traced = tracedWire(app.system, 0, q, app.reach);
    if (app.traced.at(-1) === q) return app.traced;
  }
  app.reach = near;
  app.traced = tracedWire(app.system, 0, q, near);
  return app.traced;
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
  app.wires = app.wires.filter(({ point, row, value }) => {
    const c = value(0, q), centre = centreOf(contour(c, view.corners(), 48, 36));
    if (!centre) return true;
    const there = app.points(0, q)[point];
    const farther = there.map((x, i) => x + 1e-3 * (x - centre[i]));
    app.pins.push({ point, centre, row, sign: Math.sign(c(farther) - c(there)) });
    return false;
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
  while (app.owed >= run.h && performance.now() < until && forward()) app.owed -= run.h;
  app.owed = Math.min(app.owed, run.h);
  catchUp(Math.max(until, performance.now() + REST));
  record();
}

/** One step of the motion; false at its end. */
function forward() {
  const { run } = app;
  if (run.step()) {
    app.log.add(run);
    if (run.steps % 4 === 0) trace();
    return true;
  }
  app.stopped = true;
  field("state").textContent = whyStopped();
  return false;
}

/** The motion without projection up to the same time, if that is reached soon enough. */
function catchUp(until) {
  const { free, run } = app;
  if (!free) return;
  while (free.t < run.t - 0.5 * run.h && performance.now() < until) {
    if (!free.step()) {
      app.free = null;
      return;
    }
  }
}

/** While paused: on to the next picture of a film. */
function stepOnce() {
  if (!app.run || app.stopped) return;
  play(false);
  const { run } = app, steps = Math.max(1, Math.round((PICTURE * speed()) / run.h));
  for (let i = 0; i < steps && forward(); i++);
  catchUp(performance.now() + BUDGET);
  record();
  if (!app.stopped) field("state").textContent = `${steps} step${steps === 1 ? "" : "s"} of ${Number(run.h.toPrecision(3))} s`;
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
  const { run, free, history, unprojected } = app;
  const { t, q, v } = run;
  const [kinetic, potential] = run.energies();
  const rate = app.system.kinematics(t, q, v);
  history.push({ t, q, rate, kinetic, potential, drift: run.drift(), multipliers: run.multipliers() });
  if (history.length > HISTORY) history.shift();
  if (!free) return;
  unprojected.push([free.t, free.drift()]);
  if (unprojected.length > HISTORY) unprojected.shift();
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
  field("step").addEventListener("click", stepOnce);
  openToggles();
  new ResizeObserver(markScrolling).observe(field("steps"));
  openExports();
  openHelp();
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
