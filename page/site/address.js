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
  if (Object.keys(app.show).length > 0) state.set("show", JSON.stringify(app.show));
  const address = `#${state}`;
  if (location.hash !== address) history.replaceState(null, "", address);
  markExample(whole ? example : null);
}

function changes(settings, before) {
  const differs = ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(settings).filter(differs));
}

/** The object of a text; an address that somebody cut short shows its model all the same. */
function objectIn(text) {
  try {
    return Object(JSON.parse(text ?? "{}"));
  } catch {
    return {};
  }
}

/** Shows what an address says. */
async function recall() {
  const state = new URLSearchParams(location.hash.slice(1));
  const name = state.get("example") ?? (state.has("text") ? null : Object.keys(EXAMPLES)[0]);
  const example = EXAMPLES[name];
  app.example = example ? name : null;
  app.left = null;
  app.settings = { ...structuredClone(example?.settings ?? {}), ...objectIn(state.get("settings")) };
  app.show = { ...app.show, ...objectIn(state.get("show")) };
  app.editor.text = example?.text ?? state.get("text") ?? "x^2 + y^2 == 1";
  view.turn = { ...SPACE_VIEW };
  app.selected = null;
  field("state").textContent = "";
  field("note").textContent = example?.note ?? "";
  if (TABS.includes(state.get("tab"))) choose(state.get("tab"));
  await changed();
}

// ---- the list of examples -----------------------------------------------------------------------

/** Wide enough for the list to be a column of its own, as in the style sheet. */
const wide = matchMedia("(min-width: 75.01rem)");

function listExamples() {
  for (const [group, examples] of Map.groupBy(Object.values(EXAMPLES), (it) => it.group)) {
    const list = document.createElement("ul"), heading = document.createElement("h2");
    heading.textContent = group;
    list.append(...examples.map(exampleItem));
    field("list").append(heading, list);
  }
  // A column is always open; above the equation, the list is closed until it is opened.
  const fold = () => (field("examples-list").open = wide.matches);
  wide.addEventListener("change", fold);
  fold();
  field("skip").addEventListener("click", (event) => {
    // The address belongs to the model.
    event.preventDefault();
    field("text").focus();
  });
}

function exampleItem({ id, title }) {
  const item = document.createElement("li"), link = document.createElement("a");
  Object.assign(link, { href: `#example=${id}`, textContent: title });
  link.dataset.example = id;
  link.addEventListener("click", () => {
    if (!wide.matches) field("examples-list").open = false;
  });
  item.append(link);
  return item;
}

/** Marks an example in the list, and scrolls the list to it. */
function markExample(name) {
  for (const link of document.querySelectorAll("#list a")) {
    if (link.dataset.example !== name) {
      link.removeAttribute("aria-current");
      continue;
    }
    if (link.hasAttribute("aria-current")) continue;
    link.setAttribute("aria-current", "true");
    const list = link.closest("nav"), [top, bottom] = [link.offsetTop, link.offsetTop + link.offsetHeight];
    if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }
  field("current").textContent = name ? `: ${EXAMPLES[name].title}` : "";
}
