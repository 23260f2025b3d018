// The derivation, the code and the cost of each function.

function showDerivation({ steps }) {
  field("steps").replaceChildren(...steps.map((step) => {
    const item = document.createElement("li");
    const rule = step.rule ? `<span class="rule">${escaped(step.rule)}</span>` : "";
    const prose = step.prose ? `<p>${escaped(step.prose)}</p>` : "";
    const content = step.words ? `<p>${escaped(step.words)}.</p>` : step.mathml.join("\n");
    const cost = step.cost ? `<p class="cost">${escaped(step.cost)}</p>` : "";
    item.innerHTML = `<h3>${escaped(step.title)} ${rule}</h3>${prose}<div class="formula">${content}</div>${cost}`;
    return item;
  }));
  markScrolling();
}

/** A formula that is wider than its column is reached by the keyboard, which then scrolls it. */
function markScrolling() {
  for (const formula of document.querySelectorAll("#steps .formula > div")) {
    formula.tabIndex = formula.scrollWidth > formula.clientWidth ? 0 : -1;
  }
}

/** What each function costs, in operations. */
function showCosts({ steps, counted }) {
  const all = steps.filter((it) => it.cost).map((it) => ({ name: it.name, cost: it.cost })).concat(counted);
  field("costs").replaceChildren(...all.map(({ name, cost }) => {
    const item = document.createElement("li");
    item.innerHTML = `<code>${escaped(name)}</code> <b>${escaped(cost.split(" ")[0])}</b>`;
    item.title = cost;
    return item;
  }));
}

function choose(tab, focus = false) {
  app.tab = tab;
  for (const name of TABS) {
    const button = field(`tab-${name}`);
    button.setAttribute("aria-selected", String(name === tab));
    button.tabIndex = name === tab ? 0 : -1;
    if (focus && name === tab) button.focus();
  }
  field("derivation").hidden = tab !== "derivation";
  field("program").hidden = tab === "derivation";
  field("program").setAttribute("aria-labelledby", `tab-${tab}`);
  field("code").textContent = "";
  tell();
}
