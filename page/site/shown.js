// What the picture shows: arrows, trails and the phase portrait, each with a toggle.

const SHOWN = ["velocity", "acceleration", "force", "trails", "phase"];

/** The reader's choice, or that of the example, or what suits the number of points. */
function isShown(name) {
  const count = app.grips?.length ?? 0;
  const suits = { velocity: count === 1, acceleration: false, force: count === 1 && hasForces(), trails: count < 3, phase: false };
  return Boolean(app.show[name] ?? (app.settings.show?.includes(name) || suits[name]));
}

function showToggles() {
  for (const name of SHOWN) field(`show-${name}`).setAttribute("aria-pressed", String(isShown(name)));
  const force = field("show-force"), possible = !app.system || hasForces();
  force.disabled = !possible;
  force.title = possible ? "The force of the constraints, Jᵀλ" : "No constraint acts on a point that has coordinates of its own";
  field("phase-figure").hidden = !isShown("phase");
}

function toggle(name) {
  app.show[name] = !isShown(name);
  showToggles();
  remember();
}

function openToggles() {
  for (const name of SHOWN) field(`show-${name}`).addEventListener("click", () => toggle(name));
  field("phase-coordinate").addEventListener("change", ({ target }) => {
    app.show.phase = target.value;
    remember();
  });
  showToggles();
}
