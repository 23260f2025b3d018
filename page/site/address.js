// The address holds the text and the settings; the list of examples is a list of addresses.

/** What is typed and set, in the part of the address that no server sees. */
function remember() {
  const { settings, example, editor } = app;
  const whole = example && EXAMPLES[example].text === editor.text;
  const state = new URLSearchParams();
  if (whole) state.set("example", example);
  else state.set("text", editor.text);
  const own = whole ? changes(settings, EXAMPLES[example].settings) : settings;
  if (Object.keys(own).length > 0) state.set("settings", JSON.stringify(own));
  if (app.tab !== "derivation") state.set("tab", app.tab);
  const address = `#${state}`;
  if (location.hash !== address) history.replaceState(null, "", address);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.example === example && whole) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function changes(settings, before) {
  const differs = ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(settings).filter(differs));
}

/** Shows what an address says. */
async function recall() {
  const state = new URLSearchParams(location.hash.slice(1));
  const name = state.get("example") ?? (state.has("text") ? null : Object.keys(EXAMPLES)[0]);
  const example = EXAMPLES[name];
  let own = {};
  try {
    own = JSON.parse(state.get("settings") ?? "{}");
  } catch {
    // An address that somebody cut short shows its model all the same.
  }
  app.example = example ? name : null;
  app.left = null;
  app.settings = { ...structuredClone(example?.settings ?? {}), ...own };
  app.editor.text = example?.text ?? state.get("text") ?? "x^2 + y^2 == 1";
  view.turn = { ...SPACE_VIEW };
  app.selected = null;
  field("state").textContent = "";
  field("note").textContent = example?.note ?? "";
  if (TABS.includes(state.get("tab"))) choose(state.get("tab"));
  await changed();
}

function listExamples() {
  const groups = new Map();
  for (const [name, { group, title }] of Object.entries(EXAMPLES)) {
    const link = document.createElement("a");
    link.href = `#example=${name}`;
    link.dataset.example = name;
    link.textContent = title;
    const item = document.createElement("li");
    item.append(link);
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(item);
  }
  for (const [group, items] of groups) {
    const list = document.createElement("ul"), heading = document.createElement("h2");
    heading.textContent = group;
    list.append(...items);
    field("list").append(heading, list);
  }
}
