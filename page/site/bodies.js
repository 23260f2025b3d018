// Bodies as boxes, cylinders and disks with the inertia that the model gives them.

/** Sides of a cylinder. */
const SIDES = 20;

/** The mass and the moments about its own axes of each body: T is quadratic in the velocities. */
function shapesOf(model, system, q) {
  if (model.kind !== "system") return [];
  const still = model.velocities.map(() => 0), rest = system.kinetic(0, q, still);
  const twice = (at, numbers) => {
    const v = still.slice();
    numbers.forEach((x, i) => (v[at + i] = x));
    return 2 * (system.kinetic(0, q, v) - rest);
  };
  return bodiesOf(model.declared).map((body) => {
    const mass = twice(body.v, [1]);
    if (body.size === 2) return { ...body, reach: Math.sqrt(twice(body.v + 2, [1]) / mass), faces: [] };
    const moments = axesOf(body, q).map((axis) => twice(body.v + 3, axis) / mass);
    return { ...body, ...solidOf(moments) };
  });
}

/** The solid of mass 1 with these moments, as faces in the frame of its body, and how far it reaches. */
function solidOf(moments) {
  const total = moments.reduce((sum, x) => sum + x);
  const isSame = (a, b) => Math.abs(a - b) <= 1e-6 * total;
  const axis = [0, 1, 2].find((k) => isSame(moments[(k + 1) % 3], moments[(k + 2) % 3]));
  const root = (x) => Math.sqrt(Math.max(x, 0));
  const isRound = axis !== undefined && !moments.every((it) => isSame(it, total / 3));
  const faces = isRound
    ? cylinder(axis, root(2 * moments[axis]), root(3 * (moments[(axis + 1) % 3] - moments[axis] / 2)))
    : box(moments.map((it) => root(1.5 * (total - 2 * it))));
  return { faces, reach: Math.max(...faces.flatMap(({ corners }) => corners.map((it) => Math.hypot(...it)))) };
}

/** Faces of a box of these half lengths. */
function box(half) {
  return [0, 1, 2].flatMap((k) => [-1, 1].map((sign) => {
    const around = sign > 0 ? [[1, 1], [-1, 1], [-1, -1], [1, -1]] : [[1, 1], [1, -1], [-1, -1], [-1, 1]];
    const corners = around.map(([a, b]) => {
      const corner = [0, 0, 0];
      corner[k] = sign * half[k];
      corner[(k + 1) % 3] = a * half[(k + 1) % 3];
      corner[(k + 2) % 3] = b * half[(k + 2) % 3];
      return corner;
    });
    return { corners, dark: k / 3 };
  }));
}

/** Faces of a cylinder about an axis; a dark stripe shows how it turns. */
function cylinder(axis, radius, half) {
  const place = (i, height) => {
    const corner = [0, 0, 0], angle = (2 * Math.PI * i) / SIDES;
    corner[axis] = height;
    corner[(axis + 1) % 3] = radius * Math.cos(angle);
    corner[(axis + 2) % 3] = radius * Math.sin(angle);
    return corner;
  };
  const all = [...Array(SIDES).keys()];
  const sides = all.map((i) => ({
    corners: [place(i, -half), place(i + 1, -half), place(i + 1, half), place(i, half)],
    dark: i < 2 ? 1 : 0.3,
    isSmooth: true,
  }));
  // Each lid, and the stripe on it from the centre outwards.
  const lids = [half, -half].flatMap((height, which) => {
    const centre = place(0, height).map((x, k) => (k === axis ? x : 0));
    const lid = all.map((i) => place(i, height)), stripe = [centre, ...[0, 1, 2].map((i) => place(i, height))];
    if (which === 1) [lid, stripe].forEach((it) => it.reverse());
    return [{ corners: lid, centre, dark: 0 }, { corners: stripe, centre, dark: 1, isMark: true }];
  });
  return [...sides, ...lids];
}

/** All faces that are turned to the reader, the farthest first. */
function facesSeen(q) {
  const all = [];
  app.shapes.forEach((shape, i) => {
    const centre = q.slice(shape.at, shape.at + shape.size);
    if (shape.size === 2) return;
    const axes = axesOf(shape, q);
    const placed = (corner) => centre.map((x, k) => x + corner.reduce((sum, c, part) => sum + c * axes[part][k], 0));
    for (const { corners, ...face } of shape.faces) {
      const middle = face.centre ?? corners[0].map((_, k) => corners.reduce((sum, it) => sum + it[k], 0) / corners.length);
      const pixels = corners.map((it) => view.pixel(placed(it)));
      // A stripe is in front of its lid.
      const away = view.away(placed(middle)) - (face.isMark ? 1e-6 * shape.reach : 0);
      // Counter-clockwise from outside: in pixels, where y points down, an area below zero.
      if (areaOf(pixels) < 0) all.push({ ...face, pixels, away, body: i });
    }
  });
  return all.sort((a, b) => b.away - a.away);
}

function areaOf(corners) {
  return corners.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    return sum + x * nextY - nextX * y;
  }, 0);
}

function drawBodies(ratio) {
  const { pen } = view;
  const { run, shapes } = app;
  for (const { pixels, dark, body, isSmooth } of facesSeen(run.q)) {
    pen.beginPath();
    pixels.forEach(([x, y], i) => (i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
    pen.closePath();
    pen.fillStyle = inks.surface;
    pen.fill();
    pen.fillStyle = pen.strokeStyle = pointInk(body);
    pen.globalAlpha = 0.25 + 0.5 * dark;
    pen.fill();
    pen.globalAlpha = isSmooth ? 0.15 : 1;
    pen.lineWidth = 1.2 * ratio;
    pen.stroke();
    pen.globalAlpha = 1;
  }
  shapes.filter((it) => it.size === 2).forEach((shape) => drawPlaneBody(shape, ratio));
}

/** A body of the plane: a circle of its radius of gyration, with its axes. */
function drawPlaneBody(shape, ratio) {
  const { pen } = view, { q } = app.run;
  const centre = q.slice(shape.at, shape.at + 2), [x, y] = view.pixel(centre);
  pen.strokeStyle = inks.faint;
  pen.lineWidth = 1.4 * ratio;
  pen.beginPath();
  pen.arc(x, y, shape.reach * view.scale().unit, 0, 2 * Math.PI);
  pen.stroke();
  axesOf(shape, q).forEach((axis, k) => {
    pen.strokeStyle = [inks.warm, inks.green][k];
    polyline([-1, 1].map((sign) => centre.map((it, i) => it + sign * shape.reach * axis[i])));
    pen.stroke();
  });
}
