// Dragging points, rotating the view, keys.

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
    else if (event.key === ".") stepOnce();
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
