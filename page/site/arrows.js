// Arrows on the points: velocity, acceleration, and the force of the constraints.

/** How long the longest arrow is, as a fraction of the picture's shorter side. */
const LONGEST_ARROW = 0.34;

const ARROWS = [
  { name: "velocity", ink: "green", unit: "m/s" },
  { name: "acceleration", ink: "violet", unit: "m/s²" },
  { name: "force", ink: "warm", unit: "N" },
];

/** Where the coordinates and velocities of each point are; `null` for a point placed by other coordinates. */
function gripsOf(model, points, q) {
  const own = [];
  let at = 0, v = 0;
  for (const it of model.kind === "curve" ? [] : model.declared) {
    const elements = (it.lengths ?? []).reduce((product, length) => product * length, 1);
    const scalars = (it.scalars ?? it.size) / elements, velocities = (it.velocities ?? it.size) / elements;
    for (let i = 0; i < elements && it.size > 1; i++) own.push({ at: at + i * scalars, v: v + i * velocities, size: it.size });
    at += scalars * elements;
    v += velocities * elements;
  }
  if (model.kind === "constraint" && own.length === 0) own.push({ at: 0, v: 0, size: q.length });
  // In a state without coincidences, a point has the numbers of its own coordinates.
  const other = q.map((x, k) => x + 0.1 + 0.01 * k);
  return points(0, other).map((point) => own.find(({ at }) => point.every((x, i) => x === other[at + i])) ?? null);
}

/** Velocities and accelerations of all points, by differences along the motion. */
function ratesOf(system, points, { t, q, v, h: step }) {
  const h = step / 2;
  const a = system.acceleration(t, q, v), slope = system.kinematics(t, q, v);
  const nearby = (h) => {
    const half = q.map((x, k) => x + (h / 2) * slope[k]);
    const rate = system.kinematics(t + h / 2, half, v.map((x, k) => x + (h / 2) * a[k]));
    return points(t + h, q.map((x, k) => x + h * rate[k]));
  };
  const [before, now, after] = [nearby(-h), points(t, q), nearby(h)];
  return {
    velocity: now.map((point, i) => point.map((_, k) => (after[i][k] - before[i][k]) / (2 * h))),
    acceleration: now.map((point, i) => point.map((x, k) => (after[i][k] - 2 * x + before[i][k]) / (h * h))),
  };
}

/** Jᵀλ of each point that has coordinates of its own. Ċ is affine in v: J is what it gains from a unit of a velocity. */
function constraintForces(system, grips, { t, q, v }) {
  if (system.trackForce) return [system.trackForce(q, v)];
  const multipliers = system.multipliers(t, q, v);
  const still = v.map(() => 0), rest = system.rate(t, q, still);
  return grips.map((grip) => grip && Array.from({ length: grip.size }, (_, i) => {
    const rate = system.rate(t, q, still.with(grip.v + i, 1));
    return multipliers.reduce((sum, multiplier, row) => sum + multiplier * (rate[row] - rest[row]), 0);
  }));
}

const hasForces = () => Boolean(app.system?.trackForce) || (app.system?.rows > 0 && app.grips.some((it) => it !== null));

/** The arrows of each kind, point by point. */
function arrowsOf(state) {
  const { system, points, grips } = app;
  return { ...ratesOf(system, points, state), force: hasForces() ? constraintForces(system, grips, state) : [] };
}

/** The longest arrow of each kind so far: the scale. The first seconds set it; later it changes only if it is exceeded. */
function noteArrows(arrows) {
  for (const { name } of ARROWS) {
    for (const arrow of arrows[name]) {
      const length = arrow ? Math.hypot(...arrow) : 0;
      if (Number.isFinite(length)) app.longest[name] = Math.max(app.longest[name] ?? 0, length);
    }
  }
}

function drawArrows(there, ratio) {
  const { canvas } = view;
  const shown = ARROWS.filter(({ name }) => isShown(name));
  if (shown.length === 0) return;
  const arrows = arrowsOf(app.run), pixels = LONGEST_ARROW * Math.min(canvas.width, canvas.height);
  noteArrows(arrows);
  shown.forEach(({ name, ink, unit }, line) => {
    const longest = app.longest[name] ?? 0;
    if (longest <= 0) return;
    const scale = pixels / (longest * view.scale().unit);
    arrows[name].forEach((arrow, i) => {
      if (arrow) drawArrow(view.pixel(there[i]), view.pixel(there[i].map((x, k) => x + scale * arrow[k])), inks[ink], ratio);
    });
    arrowLegend(line, { name, ink, unit, longest, pixels }, ratio);
  });
}

function drawArrow([x, y], [toX, toY], colour, ratio) {
  const { pen } = view;
  const length = Math.hypot(toX - x, toY - y), head = Math.min(9 * ratio, length);
  // One that is shorter would be a speck on its point.
  if (!(length > 9 * ratio)) return;
  const [c, s] = [(toX - x) / length, (toY - y) / length];
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = 2.4 * ratio;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(toX - 0.7 * head * c, toY - 0.7 * head * s);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(toX, toY);
  pen.lineTo(toX - head * c - 0.45 * head * s, toY - head * s + 0.45 * head * c);
  pen.lineTo(toX - head * c + 0.45 * head * s, toY - head * s - 0.45 * head * c);
  pen.fill();
}

/** An arrow of a round size, with what it means. */
function arrowLegend(line, { name, ink, unit, longest, pixels }, ratio) {
  const { pen } = view;
  const size = round(longest / 4), y = (20 + 18 * line) * ratio, x = 52 * ratio;
  const length = (pixels * size) / longest;
  drawArrow([x, y], [x + length, y], inks[ink], ratio);
  pen.fillStyle = inks.ink;
  pen.font = `${12 * ratio}px system-ui, sans-serif`;
  pen.fillText(`${name} ${Number(size.toPrecision(6))} ${unit}`, x + length + 8 * ratio, y + 4 * ratio);
}

// ---- bars ---------------------------------------------------------------------------------------

/** How bars are drawn: blue if pulled, orange if pressed, wider for larger forces. */
function barStyles(ratio) {
  const plain = { ink: inks.ink, width: 2.2 * ratio };
  const { run, links, pins } = app;
  const bars = [...links, ...pins].filter((it) => typeof it.row === "number" && it.sign);
  if (!isShown("force") || bars.length < 3) return () => plain;
  const multipliers = run.multipliers();
  const most = bars.reduce((most, { row }) => Math.max(most, Math.abs(multipliers[row])), 0);
  return ({ row, sign }) => {
    const pressure = sign && most > 0 ? (sign * multipliers[row]) / most : 0;
    if (Math.abs(pressure) < 1e-9) return plain;
    return { ink: pressure > 0 ? inks.warm : inks.accent, width: (1.2 + 5 * Math.abs(pressure)) * ratio };
  };
}
