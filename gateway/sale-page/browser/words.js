// @ts-check
// The language in which figures and texts are written. Runs in the browser and on the server.

/**
 * @typedef {import("../../web/texts/en.ts").Texts["sale"]} SaleTexts
 *
 * @typedef {object} Words
 * @property {string} language its BCP 47 tag
 * @property {SaleTexts} texts
 */

/** Words to write in: of a page the ones that it brings along; undefined on a server that writes nothing. @type {Words | undefined} */
let current = wordsOfPage();

/** Returns the language that is written; English where nothing says another. */
export function language() {
  return current?.language ?? "en";
}

/** Returns the texts of the language that is written. */
export function texts() {
  if (current === undefined) throw new Error("no language is chosen to write in");
  return current.texts;
}

/**
 * Takes the words of everything that is written from now on.
 *
 * @param {Words | undefined} words
 * @returns the words until now
 */
export function swapWords(words) {
  const before = current;
  current = words;
  return before;
}

/** Loads the texts of what the page's script loads later. Once loaded, they are there at once. */
export async function loadLaterTexts() {
  const { later } = await import(`./later-${language()}.js`);
  swapWords({ language: language(), texts: { ...texts(), ...later } });
}

/** @returns {Words | undefined} */
function wordsOfPage() {
  const element = globalThis.document?.getElementById("tidemark-words");
  return element?.textContent
    ? { language: document.documentElement.lang, texts: JSON.parse(element.textContent) }
    : undefined;
}
