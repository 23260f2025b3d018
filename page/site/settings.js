// Sliders of parameters, inputs, mass, gravity and the speed of time.

function showSettings(model) {
  const rows = [];
  const add = (name, label, value, range, set) => rows.push({ name, label, value, range, set });
  const names = componentNames(model.parameters), values = parameterValues(model);
  const inputs = componentNames(model.inputs ?? []), given = inputValues(model);
  const setting = (name) => (value) => {
    app.settings.set = { ...app.settings.set, [name]: value };
  };
  names.slice(0, 12).forEach((name, i) => add(name, name, values[i], around(values[i]), setting(name)));
  inputs.slice(0, 6).forEach((name, i) => add(name, `${name} (input)`, given[i], [-10, 10], setting(name)));
  if (model.kind !== "system" && !(model.bodies > 0)) {
    const gravity = fieldOf(model), k = gravity.findLastIndex((it) => it !== 0);
    const last = k < 0 ? gravity.length - 1 : k;
    add("mass", "mass", app.settings.mass ?? 1, [0.1, 10], (value) => (app.settings.mass = value));
    const along = `${gravity[last] < 0 ? "−" : ""}${axisNames(model)[last % axisNames(model).length] ?? "y"}`;
    add("gravity", `gravity along ${along}`, Math.abs(gravity[last] ?? 0), [0, 20], (value) => {
      const sign = gravity[last] > 0 ? 1 : -1;
      app.settings.gravity = gravity.map((it, i) => (it !== 0 || i === last ? sign * value : 0));
    });
  }
  if (model.kind === "curve") add("damping", "damping", app.settings.damping ?? 0, [0, 2], (value) => (app.settings.damping = value));
  add("speed", "speed of time", speed(), [0.1, 10], (value) => (app.settings.speed = value));
  const signature = rows.map((it) => it.name).join();
  const list = field("settings");
  if (list.dataset.signature === signature && list.contains(document.activeElement)) return;
  list.dataset.signature = signature;
  list.replaceChildren(...rows.map(settingRow));
}

/** What a slider of a value goes through. */
function around(value) {
  const size = Math.abs(value) || 1;
  return value < 0 ? [-3 * size, 0] : [0, 3 * size];
}

function settingRow({ label, value, range: [least, most], set }) {
  const row = document.createElement("label");
  const name = document.createElement("span"), slider = document.createElement("input"), number = document.createElement("input");
  name.textContent = label;
  Object.assign(slider, { type: "range", min: least, max: most, step: "any", value });
  Object.assign(number, { type: "number", step: "any", value: Number(value.toPrecision(6)) });
  slider.setAttribute("aria-label", label);
  number.setAttribute("aria-label", `${label}, number`);
  const take = (text, other) => {
    const value = Number(text);
    if (text === "" || !Number.isFinite(value)) return;
    other.value = Number(value.toPrecision(6));
    set(value);
    delete app.settings.example;
    begin();
    remember();
  };
  slider.addEventListener("input", () => take(slider.value, number));
  number.addEventListener("input", () => take(number.value, slider));
  row.append(name, slider, number);
  return row;
}
