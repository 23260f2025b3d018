// Numbers over time, below the picture: energy, drift, λ, and the phase portrait.

/** The scale of the drift, from rounding to as large as the mechanism. */
const DRIFT = { low: -16, high: 0, ticks: [-16, -8, 0], label: (x) => (x === 0 ? "1" : `1e${x}`) };

/** A canvas with as many pixels as the screen has, cleared. */
function cleared(id) {
  const canvas = field(id), ratio = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, width, height);
  pen.lineJoin = "round";
  pen.font = `${10 * ratio}px system-ui, sans-serif`;
  return { pen, width, height, ratio };
}

/** Least and greatest of numbers; a little apart if they are equal. */
function rangeOf(numbers) {
  const finite = numbers.filter(Number.isFinite);
  if (finite.length === 0) return [-1, 1];
  const [low, high] = [finite.reduce((a, b) => Math.min(a, b)), finite.reduce((a, b) => Math.max(a, b))];
  const least = Math.max(Math.abs(low), Math.abs(high)) * 1e-6 || 1;
  return high - low < least ? [low - least, high + least] : [low, high];
}

/** Lines of points (t, y) above the time that the history covers. */
function plot(id, lines, { low, high, ticks, label = short }) {
  const { pen, width, height, ratio } = cleared(id);
  const { history, run } = app;
  const [left, right] = [48 * ratio, width - 6 * ratio], [top, bottom] = [8 * ratio, height - 8 * ratio];
  const first = history[0].t, last = Math.max(run.t, first + 1e-9);
  const across = (t) => left + ((t - first) / (last - first)) * (right - left);
  const up = (y) => bottom - ((y - low) / (high - low)) * (bottom - top);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const y of ticks) {
    pen.fillStyle = inks.faint;
    pen.strokeStyle = inks.line;
    pen.lineWidth = ratio;
    pen.beginPath();
    pen.moveTo(left, up(y));
    pen.lineTo(right, up(y));
    pen.stroke();
    pen.fillText(label(y), left - 5 * ratio, up(y));
  }
  pen.lineWidth = 1.5 * ratio;
  for (const { points, ink, dashed } of lines) {
    pen.strokeStyle = ink;
    pen.setLineDash(dashed ? [4 * ratio, 3 * ratio] : []);
    pen.beginPath();
    for (const [t, y] of points) if (t >= first) pen.lineTo(across(t), up(Math.min(Math.max(y, low), high)));
    pen.stroke();
  }
}

/** A plot whose scale is that of its numbers. */
function plotOwn(id, lines) {
  const [low, high] = rangeOf(lines.flatMap(({ points }) => points.map(([, y]) => y)));
  plot(id, lines, { low, high, ticks: [low, high], label: (x) => Number(x.toPrecision(2)).toString().replace("e+", "e") });
}

function plots() {
  const { history, unprojected, system } = app;
  const over = (value) => history.map((it) => [it.t, value(it)]);
  plotOwn("energy-plot", [
    { points: over((it) => it.kinetic), ink: inks.warm },
    { points: over((it) => it.potential), ink: inks.green },
    { points: over((it) => it.kinetic + it.potential), ink: inks.ink },
  ]);
  const exponent = (drift) => Math.log10(drift + 1e-17);
  if (system.rows > 0) {
    plot("drift-plot", [
      { points: unprojected.map(([t, drift]) => [t, exponent(drift)]), ink: inks.warm, dashed: true },
      { points: over((it) => exponent(it.drift)), ink: inks.violet },
    ], DRIFT);
  }
  const rows = Math.min(history[0].multipliers.length, 8);
  if (rows > 0) {
    plotOwn("multiplier-plot", Array.from({ length: rows }, (_, row) => ({
      points: over((it) => it.multipliers[row]),
      ink: pointInk(row),
    })));
  }
  field("axis-start").textContent = `t = ${history[0].t.toFixed(2)} s`;
  field("axis-end").textContent = `${app.run.t.toFixed(2)} s`;
  if (isShown("phase")) phasePortrait();
}

// ---- the phase portrait -------------------------------------------------------------------------

/** The number of the coordinate that the phase portrait shows. */
const phaseCoordinate = () => Math.max(app.model.coordinates.indexOf(app.show.phase), 0);

/** A coordinate and its rate, as a curve. */
function phasePortrait() {
  const { pen, width, height, ratio } = cleared("phase-plot");
  const k = phaseCoordinate(), name = app.model.coordinates[k];
  const places = app.history.map((it) => [it.q[k], it.rate[k]]);
  const [[left, right], [low, high]] = [0, 1].map((part) => rangeOf([...places.map((it) => it[part]), 0]));
  const [x, y] = [
    (q) => 52 * ratio + ((q - left) / (right - left)) * (width - 70 * ratio),
    (rate) => height - 24 * ratio - ((rate - low) / (high - low)) * (height - 50 * ratio),
  ];
  phaseAxes({ pen, width, height, ratio, x, y }, name, { left, right, low, high });
  pen.strokeStyle = pen.fillStyle = inks.accent;
  pen.lineWidth = 1.6 * ratio;
  pen.beginPath();
  for (const [q, rate] of places) pen.lineTo(x(q), y(rate));
  pen.stroke();
  pen.beginPath();
  pen.arc(x(places.at(-1)[0]), y(places.at(-1)[1]), 5 * ratio, 0, 7);
  pen.fill();
}

function phaseAxes({ pen, width, height, ratio, x, y }, name, { left, right, low, high }) {
  const line = (from, to) => {
    pen.beginPath();
    pen.moveTo(...from);
    pen.lineTo(...to);
    pen.stroke();
  };
  pen.strokeStyle = inks.line;
  pen.fillStyle = inks.faint;
  pen.lineWidth = ratio;
  const ticks = (from, to) => {
    const unit = round((to - from) / 4);
    const first = Math.ceil(from / unit - 1e-9);
    return Array.from({ length: Math.floor(to / unit + 1e-9) - first + 1 }, (_, i) => Number(((first + i) * unit).toPrecision(6)));
  };
  pen.textAlign = "center";
  for (const q of ticks(left, right)) {
    line([x(q), 22 * ratio], [x(q), height - 18 * ratio]);
    pen.fillText(String(q), x(q), height - 6 * ratio);
  }
  pen.textAlign = "right";
  for (const rate of ticks(low, high)) {
    line([46 * ratio, y(rate)], [width - 8 * ratio, y(rate)]);
    pen.fillText(String(rate), 42 * ratio, y(rate) + 3 * ratio);
  }
  pen.fillStyle = inks.ink;
  pen.font = `italic ${13 * ratio}px system-ui, sans-serif`;
  pen.fillText(`${name} →`, width - 8 * ratio, height - 22 * ratio);
  pen.textAlign = "left";
  pen.fillText(`↑ d(${name})/dt`, 8 * ratio, 15 * ratio);
}

function listPhaseCoordinates() {
  field("phase-coordinate").replaceChildren(...app.model.coordinates.map((name) => new Option(name, name)));
  field("phase-coordinate").value = app.model.coordinates[phaseCoordinate()];
}

// ---- numbers ------------------------------------------------------------------------------------

const short = (x) => (Math.abs(x) >= 1e5 || (x !== 0 && Math.abs(x) < 1e-3) ? x.toExponential(2) : x.toPrecision(5));

const tiny = (x) => (x === 0 ? "0" : x.toExponential(1));

function numbers() {
  const { run, system, model, unprojected } = app;
  const now = app.history.at(-1);
  field("time").textContent = `t = ${run.t.toFixed(2)} s`;
  field("kinetic").textContent = short(now.kinetic);
  field("potential").textContent = short(now.potential);
  field("total").textContent = short(now.kinetic + now.potential);
  field("change").textContent = tiny(now.kinetic + now.potential - app.energy);
  field("drift").textContent = tiny(now.drift);
  field("unprojected-drift").textContent = unprojected.length > 0 ? tiny(unprojected.at(-1)[1]) : "";
  field("drift-figure").hidden = system.rows === 0;
  const names = system.trackForce ? ["|force of the track|"] : model.rows ?? [];
  const values = now.multipliers.slice(0, 4).map((value, row) => `${names[row]} ${short(value)}`);
  field("multiplier").textContent = values.join("  ") + (now.multipliers.length > 4 ? " …" : "");
  field("multiplier-figure").hidden = values.length === 0;
}
