// Motion: what the engine's JavaScript computes, moved as the runtime moves it.
//
// Runge–Kutta of order 4, then projection onto C = 0 and Ċ = 0, operation for operation as in the runtime's `Rk4`, so
// that a trajectory here is the trajectory there.

const EPSILON = 2 ** -52;
const NEWTON_ITERATIONS = 50;

/** Functions by name, of their texts by name and the tables that they read. */
function compiled({ functions, tables }) {
  const names = Object.keys(functions).filter((name) => functions[name]);
  const texts = names.map((name) => functions[name]);
  return new Function(`"use strict";\n${[...tables, ...texts].join("\n")}\nreturn { ${names.join(", ")} };`)();
}

/** How many numbers a field holds: `{ name, size, lengths }`. */
function numbersOf(field) {
  return (field.lengths ?? []).reduce((product, length) => product * length, field.size);
}

/** An object of fields, arrays in arrays, of numbers one after the other. */
function structured(fields, numbers) {
  let next = 0;
  const nested = (lengths, size) => {
    if (lengths.length > 0) return Array.from({ length: lengths[0] }, () => nested(lengths.slice(1), size));
    const own = numbers.slice(next, next + size);
    next += size;
    return size === 1 ? own[0] : own;
  };
  return Object.fromEntries(fields.map((it) => [it.name, nested(it.lengths ?? [], it.size)]));
}

/** What moves, as `Run` asks for it; `null` and why where nothing can. */
function moving(model, settings) {
  const of = { constraint: particle, curve: bead, system }[model.kind];
  return of(model, settings);
}

// ---- one particle on a constraint ---------------------------------------------------------------

function particle(model, { parameters, mass, gravity }) {
  if (model.bodies > 0) return { refused: "A constraint between bodies cannot be simulated on its own: write a `system!` that contains it." };
  const f = compiled(model);
  if (!f.particle_force) return { refused: "A constraint of more than three rows cannot be simulated on its own: write a `system!` that contains it." };
  const self = structured(model.parameters, parameters);
  const n = model.coordinates.length;
  const w = new Array(n).fill(1 / mass), equal = new Array(n).fill(1), force = gravity.map((g) => g * mass);
  const rows = model.rows.length;
  return {
    rows,
    acceleration(t, q, v) {
      const held = f.particle_force(self, t, q, v, mass, force);
      return held.map((held, i) => (force[i] + held) * (1 / mass));
    },
    kinematics: (t, q, v) => v,
    constraint: (t, q) => f.value(self, t, q),
    rate: (t, q, v) => f.rate(self, t, q, v),
    correction: (t, q, b) => transposed(f.jacobian(self, t, q), f.solve(self, t, q, equal, b)),
    rowSizes: (t, q) => f.jacobian(self, t, q).map((row) => row.reduce((sum, j, i) => sum + Math.abs(j * q[i]), 0)),
    multipliers: (t, q, v) => f.multipliers(self, t, q, v, w, force),
    kinetic: (t, q, v) => 0.5 * mass * dot(v, v),
    potential: (t, q) => -mass * dot(gravity, q),
    normalize() {},
  };
}

function dot(a, b) {
  let sum = a[0] * b[0];
  for (let i = 1; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Jᵀ x */
function transposed(jacobian, x) {
  return jacobian[0].map((_, column) => {
    let sum = jacobian[0][column] * x[0];
    for (let row = 1; row < x.length; row++) sum += jacobian[row][column] * x[row];
    return sum;
  });
}

// ---- a bead on a curve --------------------------------------------------------------------------

function bead(model, { parameters, mass, gravity, damping }) {
  const f = compiled(model);
  const self = structured(model.parameters, parameters);
  const [start, end] = f.domain(self);
  const force = gravity.map((g) => g * mass);
  const law = () => force;
  const closed = model.closed && !hasCuspAtEnd(f, self, start, end);
  const period = end - start;
  const place = (s) => (closed && !(s >= start && s <= end) ? s - Math.floor((s - start) / period) * period : s);
  const position = (s) => f.position(self, place(s));
  return {
    rows: 0,
    domain: [start, end],
    closed,
    position,
    acceleration: (t, [s], [v]) => [f.acceleration_under(self, place(s), v, mass, damping, law)],
    kinematics: (t, q, v) => v,
    constraint: () => [],
    rate: () => [],
    multipliers: () => [],
    admits: ([s]) => closed || (s >= start && s <= end),
    kinetic(t, [s], [v]) {
      const tangent = f.tangent(self, place(s)).map((it) => it * v);
      return 0.5 * mass * dot(tangent, tangent);
    },
    potential: (t, [s]) => -mass * dot(gravity, position(s)),
    /** The force of the track: m r″ ṡ² − f without its part along r′. */
    trackForce([s], [v]) {
      const [, r1, r2] = f.jet(self, place(s));
      const needed = r2.map((r2, i) => mass * v * v * r2 - force[i]);
      const along = dot(r1, needed) / dot(r1, r1);
      return needed.map((it, i) => it - r1[i] * along);
    },
    normalize() {},
  };
}

/** A closed curve whose ends form a cusp cannot be run through. */
function hasCuspAtEnd(f, self, start, end) {
  const square = (s) => {
    const tangent = f.tangent(self, s);
    return dot(tangent, tangent);
  };
  const usual = square((start + end) * 0.5) * EPSILON;
  return square(start) <= usual || square(end) <= usual;
}

// ---- a system -----------------------------------------------------------------------------------

function system(model, { parameters, inputs }) {
  const f = compiled(model);
  if (!f.acceleration) {
    return { refused: "This system is solved at run time, which this page cannot do; `constraint run` can." };
  }
  const self = structured(model.parameters, parameters);
  const given = structured(model.inputs, inputs);
  self.inputs = () => given;
  const rows = model.rows.length;
  const turns = turnsOf(model.declared);
  return {
    rows,
    acceleration: (t, q, v) => f.acceleration(self, t, q, v),
    kinematics: f.kinematics ? (t, q, v) => f.kinematics(self, t, q, v) : (t, q, v) => v,
    constraint: (t, q) => (rows ? f.constraint(self, t, q) : []),
    rate: (t, q, v) => (rows ? f.constraint_rate(self, t, q, v) : []),
    correction: (t, q, b) => f.correction(self, t, q, b),
    rowSizes: (t, q) => f.row_sizes(self, t, q),
    multipliers: (t, q, v) => (rows && f.multipliers ? f.multipliers(self, t, q, v) : []),
    projectedMotion: f.projected_motion && ((t, q, v) => f.projected_motion(self, t, q, v)),
    kinetic: (t, q, v) => f.kinetic_energy(self, t, q, v),
    potential: (t, q) => (f.potential_energy ? f.potential_energy(self, t, q) : 0),
    places: f.places && ((t, q) => f.places(self, t, q)),
    normalize(q) {
      for (const [first, length] of turns) {
        let square = 0;
        for (let i = first; i < first + length; i++) square += q[i] * q[i];
        const inverse = 1 / Math.sqrt(square);
        for (let i = first; i < first + length; i++) q[i] *= inverse;
      }
    },
  };
}

/** Where the turns of bodies stand among the coordinates, and how many numbers each has. */
function turnsOf(declared) {
  const turns = [];
  let first = 0;
  for (const it of declared) {
    const elements = (it.lengths ?? []).reduce((product, length) => product * length, 1);
    const scalars = it.scalars / elements;
    if (it.body) {
      for (let i = 0; i < elements; i++) turns.push([first + i * scalars + it.size, scalars - it.size]);
    }
    first += it.scalars;
  }
  return turns;
}

// ---- steps --------------------------------------------------------------------------------------

const WEIGHTS = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];
const STAGES = [0.5, 0.5, 1.0];

/** A motion from a state on. Without projection, only the equations of motion keep it on the constraints. */
class Run {
  constructor(system, t, q, v, h, { projects = true } = {}) {
    Object.assign(this, { system, t, q, v, h, projects, origin: t, steps: 0, known: null });
  }

  /** One step; whether it could be made. Where not, the last good state stays. */
  step() {
    const { system, t, h } = this;
    this.steps += 1;
    const target = this.origin + this.steps * h;
    const slopes = [];
    let q = this.q, v = this.v;
    for (let i = 0; i < 4; i++) {
      const at = i === 0 ? t + 0 * h : t + STAGES[i - 1] * h;
      const acceleration = i === 0 && this.known ? this.known : system.acceleration(at, q, v);
      slopes.push([system.kinematics(at, q, v), acceleration]);
      const weights = i < 3 ? [0, 0, 0, 0].map((_, j) => (j === i ? STAGES[i] : 0)) : WEIGHTS;
      q = advanced(this.q, slopes, weights, h, 0);
      v = advanced(this.v, slopes, weights, h, 1);
    }
    system.normalize(q);
    if (!isFinite(q) || !isFinite(v)) return false;
    let known = null;
    if (system.rows > 0 && this.projects) {
      if (!projected(system, target, q)) return false;
      if (system.projectedMotion) {
        [v, known] = system.projectedMotion(target, q, v);
      } else {
        const change = system.correction(target, q, system.rate(target, q, v));
        v = v.map((v, i) => v - change[i]);
      }
      if (!isFinite(q) || !isFinite(v)) return false;
    }
    if (system.admits && !system.admits(q)) return false;
    Object.assign(this, { t: target, q, v, known });
    return true;
  }

  energies() {
    const { system, t, q, v } = this;
    return [system.kinetic(t, q, v), system.potential(t, q)];
  }

  /** max |C| */
  drift() {
    return largest(this.system.constraint(this.t, this.q));
  }

  /** λ by rows; for a bead on a track, the size of the track's force. */
  multipliers() {
    const { system, t, q, v } = this;
    return system.trackForce ? [Math.hypot(...system.trackForce(q, v))] : system.multipliers(t, q, v);
  }
}

/** y₀ + h Σⱼ wⱼ kⱼ over the weights that are not zero. */
function advanced(start, slopes, weights, h, part) {
  const steps = weights.map((weight) => weight * h);
  return start.map((sum, i) => {
    for (let j = 0; j < slopes.length; j++) {
      if (weights[j] !== 0) sum += slopes[j][part][i] * steps[j];
    }
    return sum;
  });
}

function isFinite(x) {
  return x.every(Number.isFinite);
}

function largest(x) {
  return x.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
}

/** Moves q onto C = 0 by Newton's method; whether that ended there. */
function projected(system, t, q) {
  let sizes = system.rowSizes(t, q), previous = null;
  for (let i = 0; i < NEWTON_ITERATIONS; i++) {
    const c = system.constraint(t, q);
    if (!isFinite(c)) return false;
    if (c.every((c, row) => Math.abs(c) <= sizes[row] * (4 * EPSILON) || c === 0)) return true;
    // Rounding that exceeds its estimate: where progress ends.
    if (previous && largest(c) >= 0.5 * largest(previous) && isSmall(c, sizes, 1e-9)) return true;
    const way = system.kinematics(t, q, system.correction(t, q, c));
    for (let k = 0; k < q.length; k++) q[k] -= way[k];
    system.normalize(q);
    if (!isSmall(c, sizes, 1e-2)) sizes = system.rowSizes(t, q);
    previous = c;
  }
  return false;
}

function isSmall(c, sizes, part) {
  return c.every((c, row) => Math.abs(c) <= sizes[row] * part);
}

/** The nearest state on the constraints, or `null`. */
function consistent(system, t, q, v) {
  q = q.slice();
  system.normalize(q);
  if (!isFinite(q) || !isFinite(v)) return null;
  if (system.rows > 0) {
    if (!projected(system, t, q)) return null;
    const change = system.correction(t, q, system.rate(t, q, v));
    v = v.map((v, i) => v - change[i]);
  }
  return isFinite(q) && isFinite(v) ? [q, v] : null;
}
