// The editor: a text field over its own colours, with mistakes underlined where they stand.

const STATEMENTS = "/*STATEMENTS*/";
const WORDS = new RegExp(
  `\\b(?:${STATEMENTS}|pub|struct|if|else|in|curve|system|sum|at|dir|velocity|acceleration|multiplier|angular_velocity|pose|use|where|impl|return|static|inline|double|void|function)\\b`,
);
const TOKENS = new RegExp(
  [
    /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)/,
    /(?<text>"[^"\n]*")/,
    /(?<number>\b\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b)/,
    new RegExp(`(?<word>${WORDS.source})`),
    /(?<type>\b(?:Real|Point[23]|Vector[23]|Rigid[23]|Time|PI|TAU|E|[A-Z]\w*)\b)/,
    /(?<macro>\b\w+!)/,
  ]
    .map((it) => it.source)
    .join("|"),
  "g",
);

const escaped = (text) => text.replace(/[&<>]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[letter]);

/** A text with its tokens in colours, as HTML. */
function coloured(text) {
  let html = "", end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const kind = Object.keys(match.groups).find((it) => match.groups[it] !== undefined);
    html += `${escaped(text.slice(end, match.index))}<span class="${kind}">${escaped(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escaped(text.slice(end));
}

/** The places of mistakes as empty boxes with an underline, over the same text. */
function underlined(text, messages) {
  let html = "", end = 0;
  for (const { start, end: stop } of [...messages].sort((a, b) => a.start - b.start)) {
    if (start < end) continue;
    html += `${escaped(text.slice(end, start))}<mark>${escaped(text.slice(start, Math.max(stop, start + 1))) || " "}</mark>`;
    end = Math.max(stop, start + 1);
  }
  return html + escaped(text.slice(end));
}

class Editor {
  constructor({ field, colours, marks, list, summary }, changed) {
    Object.assign(this, { field, colours, marks, list, summary });
    field.addEventListener("input", () => {
      this.show([]);
      changed();
    });
    field.addEventListener("scroll", () => this.scroll());
  }

  get text() {
    return this.field.value;
  }

  set text(text) {
    this.field.value = text;
    this.field.rows = Math.min(Math.max(text.split("\n").length + 1, 3), 26);
    this.show([]);
  }

  scroll() {
    for (const layer of [this.colours, this.marks]) {
      layer.style.transform = `translate(${-this.field.scrollLeft}px, ${-this.field.scrollTop}px)`;
    }
  }

  /** Mistakes at their tokens, and as a list; the list stays until there is another. */
  show(messages, isFinal = false) {
    const { text } = this;
    this.colours.innerHTML = coloured(text) + "\n";
    this.marks.innerHTML = underlined(text, messages) + "\n";
    this.scroll();
    if (!isFinal) return;
    this.field.setAttribute("aria-invalid", String(messages.length > 0));
    this.list.replaceChildren(...messages.map((it) => this.item(it)));
    const count = messages.length;
    this.summary.textContent = count === 0 ? "" : `${count} mistake${count === 1 ? "" : "s"}: ${messages[0].message}`;
  }

  item({ start, end, message, help }) {
    const button = document.createElement("button");
    const line = this.text.slice(0, start).split("\n");
    button.type = "button";
    button.innerHTML =
      `<span class="place">${line.length}:${line.at(-1).length + 1}</span> <span>${escaped(message)}</span>` +
      (help ? `<span class="help">help: ${escaped(help)}</span>` : "");
    button.addEventListener("click", () => {
      this.field.focus();
      this.field.setSelectionRange(start, Math.max(end, start));
    });
    const item = document.createElement("li");
    item.append(button);
    return item;
  }
}
