// Numbers over time, below the picture.

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
