// Draws the picture: what moves, what it is held on, its axes.

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

const POINT_INKS = ["accent", "warm", "green", "violet"];

const pointInk = (i) => inks[POINT_INKS[i % 4]];

function draw() {
  if (view.fit()) app.traced = null;
  const { pen, canvas } = view;
  const { model, run, points } = app;
  const ratio = window.devicePixelRatio || 1;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.lineJoin = pen.lineCap = "round";
  const there = points(run.t, run.q);
  // What is dragged stays under the pointer.
  const extent = [...there, ...app.shapes.flatMap((shape) => cornersOf(shape, run.q))];
  if (!app.dragged && view.hold(extent)) app.traced = null;
  if (there.length === 0 && bodiesOf(model.declared ?? []).length === 0) {
    course(ratio);
    return;
  }
  if (app.plane) grid(ratio);
  else axes(ratio);
  wires(ratio);
  if (isShown("trails")) drawTrails(ratio);
  drawBars(there, ratio);
  drawBodies(ratio);
  there.forEach((point, i) => ball(view.pixel(point), i, there.length, ratio));
  drawArrows(there, ratio);
}

function drawTrails(ratio) {
  const { pen } = view;
  app.trails.forEach((trail, i) => {
    pen.strokeStyle = pointInk(i);
    pen.lineWidth = 1.4 * ratio;
    for (let from = 0; from < trail.length - 1; from += 50) {
      pen.globalAlpha = (0.5 * (from + 50)) / (trail.length + 50);
      polyline(trail.slice(from, from + 51));
      pen.stroke();
    }
  });
  pen.globalAlpha = 1;
}

/** Bars between points and from fixed pins. */
function drawBars(there, ratio) {
  const { pen } = view;
  const { links, pins } = app;
  const origin = there[0]?.map(() => 0);
  const styleOf = barStyles(ratio);
  const bar = (from, to, link) => {
    const { ink, width } = styleOf(link);
    pen.strokeStyle = ink;
    pen.lineWidth = width;
    polyline([from, to]);
    pen.stroke();
  };
  for (const link of links) bar(there[link.a], link.b === null ? origin : there[link.b], link);
  for (const link of pins) bar(link.centre, there[link.point], link);
  for (const { centre } of pins) pin(view.pixel(centre), ratio);
  if (links.some(({ b }) => b === null)) pin(view.pixel(origin), ratio);
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
  const isBody = i >= count - app.shapes.length;
  const radius = (count > 20 || isBody ? 4 : 8) * ratio;
  pen.fillStyle = pointInk(i);
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
    // The name of the axis is in the corner.
    if (py > 34 * ratio) pen.fillText(label(y), 4 * ratio, py - 3 * ratio);
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

/** The directions of the axes of space, in a corner. */
function axes(ratio) {
  const { pen, canvas } = view;
  const origin = view.flat([0, 0, 0]), corner = [50 * ratio, canvas.height - 46 * ratio];
  axisNames(app.model).forEach((name, k) => {
    const [x, y] = view.flat([0, 1, 2].map((i) => Number(i === k)));
    const along = (length) => [corner[0] + length * ratio * (x - origin[0]), corner[1] - length * ratio * (y - origin[1])];
    drawArrow(corner, along(32), inks.faint, ratio);
    pen.fillStyle = inks.ink;
    pen.font = `italic ${14 * ratio}px system-ui, sans-serif`;
    pen.textAlign = "center";
    const [labelX, labelY] = along(42);
    pen.fillText(name, labelX, labelY + 4 * ratio);
  });
  pen.textAlign = "left";
}

/** Coordinates over time, of what has no points. */
function course(ratio) {
  const { pen, canvas } = view;
  const { run, model } = app;
  pen.fillStyle = inks.ink;
  pen.font = `italic ${14 * ratio}px system-ui, sans-serif`;
  pen.fillText("t →", canvas.width * 0.93, canvas.height - 6 * ratio);
  app.courses ??= [];
  if (app.courses.at(-1)?.t > run.t) app.courses = [];
  app.courses.push({ t: run.t, q: run.q });
  if (app.courses.length > HISTORY) app.courses.shift();
  const all = app.courses.flatMap((it) => it.q);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const size = Math.max(high - low, 1e-9);
  const [first, last] = [app.courses[0].t, Math.max(run.t, app.courses[0].t + 1e-6)];
  model.coordinates.slice(0, 8).forEach((name, k) => {
    pen.strokeStyle = pen.fillStyle = pointInk(k);
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
