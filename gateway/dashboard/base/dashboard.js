/** Enhances the dashboard's pages, which are complete without it. */

import { monogramOf } from "../../sale-page/browser/monogram.js";

const PAUSE_MS = 400;

for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  const label = button.textContent;
  const { copy = "", done = "", failed = "" } = button.dataset;
  button.addEventListener("click", async () => {
    const text = await navigator.clipboard.writeText(copy).then(
      () => done,
      () => failed,
    );
    button.textContent = text;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

for (const select of document.querySelectorAll("select[data-zone]")) {
  // A zone that the list doesn't have leaves the choice as it is.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if ([...select.options].some(({ value }) => value === timeZone)) select.value = timeZone;
}

const RECHECK_MS = 30_000;
/** Longest time that an answer may take: it ends before the next look, and the server gives up earlier. */
const DEADLINE_MS = 25_000;

/** Returns a controller that aborts by itself. A browser has few connections to a server, and one that hangs would keep them all. */
function deadline() {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), DEADLINE_MS);
  return controller;
}

for (const line of document.querySelectorAll("[data-contract]")) recheck(line);

/** Keeps the state of a contract up to date while somebody looks at the page. */
function recheck(line) {
  const ask = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(line.dataset.contract, { signal: deadline().signal });
      if (!answer.ok || answer.redirected) return;
      const { state, text } = await answer.json();
      line.dataset.state = state;
      // Read aloud only where it says something else.
      const said = saidTexts(text);
      if (line.textContent !== said.textContent) line.replaceChildren(said);
    } catch {
      // The next time tries again.
    }
  };
  setInterval(ask, RECHECK_MS);
  document.addEventListener("visibilitychange", ask);
}

const form = document.querySelector("form[data-check]");
if (form) watch(form);
for (const shown of document.querySelectorAll("[data-preview], [data-preview-initial]")) follow(shown);

/** Shows what is typed into a field where people will read it; of a name beside a monogram, its initials. */
function follow(shown) {
  const { preview, previewInitial, empty = "\u2022" } = shown.dataset;
  const field = form?.elements[preview ?? previewInitial];
  if (!field) return;
  const show = () => {
    shown.textContent = (preview ? field.value.trim() : monogramOf(field.value).letters) || empty;
  };
  field.addEventListener("input", show);
  if (field.value !== field.defaultValue) show();
}

/** Shows the meaning of a sale's entries while they are typed. */
function watch(form) {
  const panel = document.getElementById("exact");
  const source = document.getElementById("source-check");
  let timer;
  let asked;
  const ask = async () => {
    asked?.abort();
    asked = deadline();
    const body = new URLSearchParams(new FormData(form));
    try {
      const answer = await fetch(form.dataset.check, { method: "POST", body, signal: asked.signal });
      if (!answer.ok) return;
      show(await answer.json());
    } catch {
      // The next entry tries again, and the server checks the form when it is sent.
    }
  };
  const show = ({ lines, problems, check, tokens }) => {
    showTokens(tokens);
    if (problems.length > 0) panel.replaceChildren(problemList(problems));
    else if (lines.length > 0) panel.replaceChildren(lineList(lines));
    if (!source) return;
    source.dataset.state = check.state;
    source.replaceChildren(saidTexts(check.text));
  };
  const askSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE_MS);
  };
  /** Shows what the chain says about tokens, and fills in decimals that nobody has typed. */
  const showTokens = (tokens) => {
    for (const [index, { decimals, line }] of tokens.entries()) {
      const shown = form.querySelector(`[data-token="${index}"]`);
      const said = saidTexts([line]);
      if (shown && shown.textContent !== said.textContent) shown.replaceChildren(said);
      const field = form.elements[`token_decimals_${index}`];
      if (!field || field.readOnly || field.dataset.typed || decimals === "" || field.value === decimals) continue;
      field.value = decimals;
      askSoon();
    }
  };
  const note = (field) => {
    const [, name, index] = /^token_(address|decimals)_(\d+)$/.exec(field.name) ?? [];
    if (name === "decimals") field.dataset.typed = "yes";
    // Another token has other decimals.
    if (name === "address") delete form.elements[`token_decimals_${index}`].dataset.typed;
    askSoon();
  };
  form.addEventListener("input", ({ target }) => note(target));
  // On a slow connection, people type before this script is there.
  for (const field of form.elements) if (isChanged(field)) note(field);
}

function isChanged({ value, defaultValue = value, checked, defaultChecked }) {
  return value !== defaultValue || checked !== defaultChecked;
}

function lineList(lines) {
  const list = element("dl", "facts");
  for (const { label, text, detail } of lines) {
    const value = element("dd");
    value.append(text);
    if (detail) value.append(element("small", "fact-detail", detail));
    list.append(element("dt", "", label), value);
  }
  return list;
}

function problemList(problems) {
  const list = element("ul", "quiet");
  for (const problem of problems) {
    const item = element("li");
    item.append(saidTexts([problem]));
    list.append(item);
  }
  return list;
}

/** Returns sentences with spaces between them: those of a service are in English, whatever the page's language is. */
function saidTexts(texts) {
  const said = document.createDocumentFragment();
  for (const [index, text] of texts.entries()) {
    if (index > 0) said.append(" ");
    if (typeof text === "string") said.append(text);
    else said.append(Object.assign(element("span", "", text.english), { lang: "en", dir: "ltr" }));
  }
  return said;
}

function element(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}
