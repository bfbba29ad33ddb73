// @ts-check

import { fetchInTime } from "./deadline.js";
import { textsKey } from "./sale-texts.js";

/** Delay after which the page has a change: the server makes it once a second, and caches may keep it for another. */
const LOAD_DELAY_MS = 2_100;
/** Readers who all see a change at once load the page at different times. */
const SPREAD_MS = 2_000;
const ATTEMPTS = 4;

/** The texts of a sale's page that only the server writes, kept current. */
export class PageTexts {
  #main;
  #onLoaded;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {HTMLElement} main has the name of its texts in `data-texts`
   * @param {() => void} onLoaded called when the texts have been replaced
   */
  constructor(main, onLoaded) {
    this.#main = main;
    this.#onLoaded = onLoaded;
  }

  /** Loads the page again where its texts are of another state of the sale. @param {import("./sale-texts.js").SaleFacts} facts */
  update(facts) {
    clearTimeout(this.#timer);
    const key = textsKey(facts);
    if (key !== this.#main.dataset["texts"]) this.#plan(key, 1);
  }

  /**
   * @param {string} key
   * @param {number} attempt from 1 on
   */
  #plan(key, attempt) {
    const delay = LOAD_DELAY_MS * attempt + SPREAD_MS * Math.random();
    this.#timer = setTimeout(() => void this.#load(key, attempt), delay);
  }

  /**
   * @param {string} key
   * @param {number} attempt
   */
  async #load(key, attempt) {
    const fresh = await freshPage();
    if (fresh !== undefined) this.#replace(fresh);
    if (this.#main.dataset["texts"] !== key && attempt < ATTEMPTS) this.#plan(key, attempt + 1);
  }

  /** @param {Document} fresh the page as it is now */
  #replace(fresh) {
    for (const part of fresh.querySelectorAll("[data-part]")) {
      const shown = document.querySelector(`[data-part="${part.getAttribute("data-part")}"]`);
      // A part with the same key has texts of the script only, which may be newer, or paused.
      const key = part.getAttribute("data-key");
      if (key === null || key !== shown?.getAttribute("data-key")) shown?.replaceWith(document.adoptNode(part));
    }
    this.#main.dataset["texts"] = fresh.querySelector("main")?.dataset["texts"] ?? "";
    document.title = fresh.title;
    this.#onLoaded();
  }
}

/** @returns {Promise<Document | undefined>} the page, undefined where it can't be loaded now */
async function freshPage() {
  const answer = await fetchInTime(location.pathname, { headers: { accept: "text/html" }, cache: "no-cache" }).catch(
    () => undefined,
  );
  const text = answer?.ok ? await answer.text().catch(() => undefined) : undefined;
  return text === undefined ? undefined : new DOMParser().parseFromString(text, "text/html");
}
