// Exports: the picture as SVG and PNG, the motion as a table, the address to share.

/** A table has at most so many rows; a longer motion keeps every second one, then every fourth, … */
const MOST_ROWS = 4000;

/** The states of a motion from its start on, equally far apart. */
class Log {
  constructor(run) {
    Object.assign(this, { stride: 1, rows: [] });
    this.add(run);
  }

  add({ steps, t, q, v }) {
    if (steps % this.stride !== 0) return;
    this.rows.push({ t, q, v });
    if (this.rows.length <= MOST_ROWS) return;
    this.rows = this.rows.filter((_, i) => i % 2 === 0);
    this.stride *= 2;
  }
}

/** A text as a cell of a table. */
const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Comma-separated: times, coordinates, velocities, energies, the drift and λ. */
function motionTable() {
  const { model, system, log } = app;
  const rows = model.rows ?? [];
  const names = ["t", ...model.coordinates, ...model.velocities, "T", "V"];
  if (system.rows > 0) names.push("drift", ...rows.map((name) => `lambda ${name}`));
  const lines = log.rows.map(({ t, q, v }) => {
    const numbers = [t, ...q, ...v, system.kinetic(t, q, v), system.potential(t, q)];
    if (system.rows > 0) numbers.push(largest(system.constraint(t, q)), ...system.multipliers(t, q, v));
    return numbers.join();
  });
  return [names.map(cell).join(), ...lines].join("\n") + "\n";
}

// ---- the picture --------------------------------------------------------------------------------

const rounded = (x) => Number(x.toFixed(2));

/** What the picture needs of a canvas, written as SVG. */
class SvgPen {
  constructor() {
    Object.assign(this, { parts: [], path: "", dash: [] });
    Object.assign(this, { strokeStyle: "#000", fillStyle: "#000", lineWidth: 1, globalAlpha: 1, font: "", textAlign: "left" });
  }

  clearRect() {
    this.parts = [];
  }

  beginPath() {
    this.path = "";
  }

  moveTo(x, y) {
    this.path += `M${rounded(x)} ${rounded(y)}`;
  }

  lineTo(x, y) {
    this.path += `${this.path ? "L" : "M"}${rounded(x)} ${rounded(y)}`;
  }

  closePath() {
    this.path += "Z";
  }

  /** A whole circle. */
  arc(x, y, radius) {
    const [left, r] = [rounded(x - radius), rounded(radius)];
    this.path += `M${left} ${rounded(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }

  opacity() {
    return this.globalAlpha === 1 ? "" : ` opacity="${rounded(this.globalAlpha)}"`;
  }

  fill() {
    this.parts.push(`<path d="${this.path}" fill="${this.fillStyle}"${this.opacity()}/>`);
  }

  stroke() {
    const width = rounded(this.lineWidth);
    this.parts.push(`<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${width}"${this.opacity()}/>`);
  }

  fillText(text, x, y) {
    const anchor = { left: "start", center: "middle", right: "end" }[this.textAlign];
    this.parts.push(`<text x="${rounded(x)}" y="${rounded(y)}" fill="${this.fillStyle}" text-anchor="${anchor}" style="font:${escaped(this.font)}">${escaped(text)}</text>`);
  }
}

/** The picture as it is now. */
function pictureSvg() {
  const { width, height, clientWidth } = view.canvas, canvasPen = view.pen, pen = new SvgPen();
  try {
    view.pen = pen;
    draw();
  } finally {
    view.pen = canvasPen;
  }
  const scale = clientWidth / width;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${rounded(width * scale)}" height="${rounded(height * scale)}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(app.model.title)} at t = ${rounded(app.run.t)} s</title>`,
    `<rect width="100%" height="100%" fill="${inks.surface}"/>`,
    `<g stroke-linecap="round" stroke-linejoin="round">`,
    ...pen.parts,
    "</g>\n</svg>\n",
  ].join("\n");
}

/** The picture on the colour behind it. */
function picturePng() {
  const { width, height } = view.canvas;
  const copy = Object.assign(document.createElement("canvas"), { width, height }), pen = copy.getContext("2d");
  draw();
  pen.fillStyle = inks.surface;
  pen.fillRect(0, 0, width, height);
  pen.drawImage(view.canvas, 0, 0);
  return new Promise((resolve) => copy.toBlob(resolve, "image/png"));
}

// ---- out of the page ----------------------------------------------------------------------------

/** Offers a file for download. */
function save(blob, ending) {
  const name = (app.example ?? app.model.name ?? app.model.kind).replace(/\W+/g, "_").toLowerCase();
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${name}.${ending}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  field("state").textContent = `Saved ${link.download}.`;
}

/** Copies a text, by the older command where the browser refuses the clipboard. */
async function copy(text, done) {
  let copied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(area);
    area.select();
    copied = document.execCommand("copy");
    area.remove();
  }
  field("state").textContent = copied ? done : "The browser refuses to copy.";
}

function openExports() {
  const files = {
    svg: () => new Blob([pictureSvg()], { type: "image/svg+xml" }),
    png: picturePng,
    csv: () => new Blob([motionTable()], { type: "text/csv" }),
  };
  for (const [ending, file] of Object.entries(files)) {
    field(`save-${ending}`).addEventListener("click", async () => {
      if (app.run) save(await file(), ending);
      field("export").open = false;
    });
  }
  field("share").addEventListener("click", () => {
    remember();
    copy(location.href, "Copied the address. It contains the text and the settings.");
  });
  field("copy").addEventListener("click", () => copy(field("code").textContent, "Copied."));
  // Like any menu, the list of formats closes when the reader turns elsewhere.
  document.addEventListener("pointerdown", ({ target }) => {
    if (!field("export").contains(target)) field("export").open = false;
  });
  field("export").addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    field("export").open = false;
    field("export").querySelector("summary").focus();
  });
}
