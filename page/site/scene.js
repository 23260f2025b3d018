// Pictures: the points of a model, the lines they are held on, their trails.

const SPACE_VIEW = { azimuth: -0.6, elevation: 0.35 };

/** The points of a model at a time and a state, as lists of two or three numbers; what cannot be drawn has none. */
function pointsOf(model, system) {
  if (model.kind === "curve") return (t, q) => [system.position(q[0])];
  if (model.kind === "constraint") return groupedPoints(model.declared);
  const bodies = bodiesOf(model.declared);
  return (t, q) => {
    const masses = system.places ? system.places(t, q) : [];
    return masses.concat(bodies.map(({ at, size }) => q.slice(at, at + size)));
  };
}

/** Points among the coordinates of a constraint; numbers alone are the coordinates of one point. */
function groupedPoints(declared) {
  const starts = [];
  let first = 0;
  for (const it of declared) {
    if (it.size > 1) starts.push([first, it.size]);
    first += it.size;
  }
  if (starts.length === 0 && (first === 2 || first === 3)) starts.push([0, first]);
  return (t, q) => starts.map(([at, size]) => q.slice(at, at + size));
}

/** Where the coordinates and velocities of bodies are, and their dimension. */
function bodiesOf(declared) {
  const bodies = [];
  let first = 0, v = 0;
  for (const it of declared) {
    const elements = (it.lengths ?? []).reduce((product, length) => product * length, 1);
    const scalars = it.scalars / elements;
    if (it.body) for (let i = 0; i < elements; i++) bodies.push({ at: first + i * scalars, v: v + (i * it.velocities) / elements, size: it.size });
    first += it.scalars;
    v += it.velocities;
  }
  return bodies;
}

/** The corners of a cube around a body, as far as it reaches. */
function cornersOf({ at, size, reach }, q) {
  const centre = q.slice(at, at + size);
  return [-reach, reach].map((far) => centre.map((x) => x + far));
}

/** The axes of a body in the world. */
function axesOf({ at, size }, q) {
  if (size === 2) {
    const [c, s] = q.slice(at + 2, at + 4);
    return [[c, s], [-s, c]];
  }
  const [i, j, k, w] = q.slice(at + 3, at + 7);
  return [
    [1 - 2 * (j * j + k * k), 2 * (i * j + k * w), 2 * (i * k - j * w)],
    [2 * (i * j - k * w), 1 - 2 * (i * i + k * k), 2 * (j * k + i * w)],
    [2 * (i * k + j * w), 2 * (j * k - i * w), 1 - 2 * (i * i + j * j)],
  ];
}

const distance = (a, b) => Math.hypot(...a.map((x, i) => x - (b[i] ?? 0)));

/**
 * The bars between points: `{ a, b, row, sign }`, where `b` is `null` for the origin.
 *
 * A row that depends on two points is a rod between them; `sign` is 1 if its C grows with the distance, so that λ·sign
 * is the compression of the rod. A distance that no state changes is a bar without a row.
 */
function linksOf(model, system, points, q) {
  const there = points(0, q), count = there.length;
  if (model.kind === "curve" || count === 0 || count > 400) return [];
  const links = new Map();
  const add = (a, b, row = null, sign = 0) => {
    if (!links.has(`${a}-${b}`)) links.set(`${a}-${b}`, { a, b, row, sign });
  };
  if (system.rows > 0) rods(system, points, q, there, add);
  if (count <= 40) rigidPairs(points, q, there, add);
  return [...links.values()];
}

function rods(system, points, q, there, add) {
  const moved = q.map((x, k) => q.with(k, x + 1e-3 * (1 + Math.abs(x))));
  const places = moved.map((q) => points(0, q));
  const moves = places.map((all) => all.map((point, i) => distance(point, there[i]) > 1e-12));
  const c = system.constraint(0, q);
  const values = moved.map((q) => system.constraint(0, q));
  for (let row = 0; row < system.rows; row++) {
    const affecting = [...q.keys()].filter((k) => values[k][row] !== c[row]);
    const affected = new Set(affecting.flatMap((k) => [...moves[k].keys()].filter((i) => moves[k][i])));
    if (affected.size !== 2) continue;
    const [a, b] = affected;
    const longer = (k) => distance(places[k][a], places[k][b]) - distance(there[a], there[b]);
    const most = affecting.reduce((most, k) => (Math.abs(longer(k)) > Math.abs(longer(most)) ? k : most));
    add(a, b, row, Math.sign(longer(most) * (values[most][row] - c[row])));
  }
}

/** Pairs of points, or a point and the origin, whose distance is the same in every state. */
function rigidPairs(points, q, there, add) {
  let seed = 1;
  const random = () => ((seed = (seed * 48271) % 2147483647) / 2147483647) * 2 - 1;
  const states = Array.from({ length: 6 }, () => points(0, q.map((x) => x + 0.7 * random())));
  const isRigid = (of) => {
    const length = of(there);
    return length > 1e-9 && states.every((state) => Math.abs(of(state) - length) <= 1e-9 * length);
  };
  for (let i = 0; i < there.length; i++) {
    let joined = false;
    for (let j = i - 1; j >= 0 && !joined; j--) {
      joined = isRigid((state) => distance(state[i], state[j]));
      if (joined) add(j, i);
    }
    if (!joined && isRigid((state) => Math.hypot(...state[i]))) add(i, null);
  }
}

// ---- the view -----------------------------------------------------------------------------------

/** A canvas with the scale of its model. */
class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.turn = { ...SPACE_VIEW };
    this.box = null;
    this.down = 1;
    /** Whether y points upwards in space, not z. */
    this.upright = false;
  }

  /** As many pixels as the screen has; whether that changed. */
  fit() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    if (this.canvas.width === width && this.canvas.height === height) return false;
    Object.assign(this.canvas, { width, height });
    return true;
  }

  /** A point in the plane of the picture. */
  flat(point) {
    if (point.length < 3) return [point[0], point[1] * this.down];
    const [x, y, z] = this.upright ? [point[0], -point[2], point[1]] : point;
    const { azimuth, elevation } = this.turn;
    const [c, s] = [Math.cos(azimuth), Math.sin(azimuth)];
    const depth = s * x + c * y;
    return [c * x - s * y, z * Math.cos(elevation) + depth * Math.sin(elevation)];
  }

  /** How far a point of space is behind the origin. */
  away(point) {
    const [x, y, z] = this.upright ? [point[0], -point[2], point[1]] : point;
    const { azimuth, elevation } = this.turn;
    return (Math.sin(azimuth) * x + Math.cos(azimuth) * y) * Math.cos(elevation) - z * Math.sin(elevation);
  }

  /** The picture shows these points. */
  frame(points) {
    const flat = points.map((it) => this.flat(it)).filter((it) => it.every(Number.isFinite));
    const bounds = (k) => {
      const all = flat.map((it) => it[k]);
      return all.length ? [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))] : [-1, 1];
    };
    const [[left, right], [low, high]] = [bounds(0), bounds(1)];
    const size = Math.max(right - left, high - low, 1e-9) * 0.04 || 1;
    this.box = { left: left - size, right: right + size, low: low - size, high: high + size };
  }

  /** Widens the picture where points have left it; whether that was so. */
  hold(points) {
    const { box } = this;
    const room = 0.1 * Math.max(box.right - box.left, box.high - box.low);
    let wider = false;
    for (const [x, y] of points.map((it) => this.flat(it)).filter((it) => it.every(Number.isFinite))) {
      const [outX, outY] = [x < box.left ? "left" : x > box.right && "right", y < box.low ? "low" : y > box.high && "high"];
      if (outX) box[outX] = x + (outX === "left" ? -room : room);
      if (outY) box[outY] = y + (outY === "low" ? -room : room);
      wider ||= Boolean(outX || outY);
    }
    return wider;
  }

  /** Pixels of a unit, and where the middle is. */
  scale() {
    const { width, height } = this.canvas;
    const { left, right, low, high } = this.box;
    const margin = 0.06 * Math.min(width, height) + 12;
    const unit = Math.min((width - 2 * margin) / (right - left), (height - 2 * margin) / (high - low));
    return { unit, x: (left + right) / 2, y: (low + high) / 2 };
  }

  pixel(point) {
    const [x, y] = this.flat(point);
    const { unit, x: middle, y: centre } = this.scale();
    return [this.canvas.width / 2 + (x - middle) * unit, this.canvas.height / 2 - (y - centre) * unit];
  }

  /** The point of a plane model under a pixel. */
  place([px, py]) {
    const { unit, x, y } = this.scale();
    return [x + (px - this.canvas.width / 2) / unit, (y - (py - this.canvas.height / 2) / unit) * this.down];
  }

  /** The corner points of a plane picture. */
  corners() {
    const [a, b] = [this.place([0, this.canvas.height]), this.place([this.canvas.width, 0])];
    return { left: a[0], right: b[0], low: Math.min(a[1], b[1]), high: Math.max(a[1], b[1]) };
  }
}

/** Pieces of lines on which a function of the plane is zero: marching squares. */
function contour(value, { left, right, low, high }, columns, rows) {
  const at = (i, j) => [left + ((right - left) * i) / columns, low + ((high - low) * j) / rows];
  const line = (j) => Array.from({ length: columns + 1 }, (_, i) => value(at(i, j)));
  const pieces = [];
  let below = line(0);
  for (let j = 0; j < rows; j++) {
    const above = line(j + 1);
    for (let i = 0; i < columns; i++) {
      const corners = [
        [at(i, j), below[i]],
        [at(i + 1, j), below[i + 1]],
        [at(i + 1, j + 1), above[i + 1]],
        [at(i, j + 1), above[i]],
      ];
      const crossings = [];
      for (let k = 0; k < 4; k++) {
        const [[a, u], [b, v]] = [corners[k], corners[(k + 1) % 4]];
        if (u < 0 !== v < 0 && Number.isFinite(u + v)) {
          const part = u / (u - v);
          crossings.push([a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part]);
        }
      }
      if (crossings.length >= 2) pieces.push(crossings.slice(0, 2));
      if (crossings.length === 4) pieces.push(crossings.slice(2));
    }
    below = above;
  }
  return pieces;
}

/** The centre of a circle that pieces of lines are part of; `null` where they are of none. */
function centreOf(pieces) {
  const points = pieces.flat();
  if (points.length < 12) return null;
  const [a, b, c] = [0, 1, 2].map((k) => points[Math.floor(((k + 0.5) * points.length) / 3)]);
  const square = ([x, y]) => x * x + y * y;
  const twice = 2 * (a[0] * (b[1] - c[1]) + b[0] * (c[1] - a[1]) + c[0] * (a[1] - b[1]));
  const centre = [
    (square(a) * (b[1] - c[1]) + square(b) * (c[1] - a[1]) + square(c) * (a[1] - b[1])) / twice,
    (square(a) * (c[0] - b[0]) + square(b) * (a[0] - c[0]) + square(c) * (b[0] - a[0])) / twice,
  ];
  const radius = distance(centre, a);
  const isRound = Number.isFinite(radius) && points.every((point) => Math.abs(distance(point, centre) - radius) < 0.02 * radius);
  return isRound ? centre : null;
}

/** Rows that depend on one point of the plane alone: the point, the row, and C as a function of the point's place. */
function wiresOf(model, system, points, q) {
  if (model.kind === "curve" || system.rows === 0 || q.length > 60) return [];
  const there = points(0, q);
  const starts = there.map((point) => {
    if (point.length !== 2) return null;
    const k = q.findIndex((x, k) => k + 1 < q.length && x === point[0] && q[k + 1] === point[1]);
    return k < 0 ? null : k;
  });
  const c = system.constraint(0, q);
  const owners = c.map(() => new Set());
  q.forEach((x, k) => {
    const nearby = q.slice();
    nearby[k] += 1e-3 * (1 + Math.abs(x));
    system.constraint(0, nearby).forEach((there, row) => there !== c[row] && owners[row].add(k));
  });
  return owners.flatMap((owners, row) => {
    const isOwn = (start) => start !== null && [...owners].every((k) => k === start || k === start + 1);
    const point = starts.findIndex(isOwn), start = starts[point];
    if (point < 0 || owners.size === 0) return [];
    const value = (t, q) => {
      const moved = q.slice();
      return ([x, y]) => {
        moved[start] = x;
        moved[start + 1] = y;
        return system.constraint(t, moved)[row];
      };
    };
    return [{ point, row, value }];
  });
}

/** The curve that a point of space is held on by two rows, traced from where it is. */
function tracedWire(system, t, q, reach) {
  const along = (q) => {
    const c = system.constraint(t, q);
    const slope = [0, 1, 2].map((k) => {
      const h = 1e-6 * (1 + Math.abs(q[k])), moved = q.slice();
      moved[k] += h;
      return system.constraint(t, moved).map((there, row) => (there - c[row]) / h);
    });
    const [a, b] = [0, 1].map((row) => slope.map((it) => it[row]));
    const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const length = Math.hypot(...cross);
    return cross.map((x) => x / length);
  };
  const walk = (sign) => {
    const line = [q];
    for (let i = 0; i < 600; i++) {
      const last = line.at(-1), way = along(last);
      const next = last.map((x, k) => x + sign * (reach / 40) * way[k]);
      if (!isFinite(next) || !projected(system, t, next)) break;
      line.push(next);
      if (i > 4 && distance(next, q) < reach / 45) return [line, true];
      if (distance(next, q) > 4 * reach) break;
    }
    return [line, false];
  };
  const [ahead, closed] = walk(1);
  if (closed) return ahead.concat([q]);
  return walk(-1)[0].reverse().concat(ahead);
}
