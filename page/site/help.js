// The help: the language in one screen, opened by a button or the key `?`, closed by Escape.

/** In these `?` is a letter. */
const isTyping = ({ target }) => target.closest("textarea, input, select") !== null;

function openHelp() {
  const help = field("help");
  for (const code of help.querySelectorAll("code")) code.innerHTML = coloured(code.textContent);
  for (const code of help.querySelectorAll("code[data-model]")) code.parentElement.append(tryButton(code.textContent));
  field("help-open").addEventListener("click", () => help.showModal());
  field("help-close").addEventListener("click", () => help.close());
  // A click on the dialog itself is one beside its content.
  help.addEventListener("click", ({ target }) => target === help && help.close());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || isTyping(event)) return;
    event.preventDefault();
    if (help.open) help.close();
    else help.showModal();
  });
}

/** Puts a model of the help into the editor. */
function tryButton(text) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Try" });
  button.setAttribute("aria-label", `Try ${text.split("\n")[0]}`);
  button.addEventListener("click", () => {
    field("help").close();
    location.hash = new URLSearchParams({ text });
  });
  return button;
}
