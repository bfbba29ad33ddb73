// @ts-check
// <tidemark-sale sale="UUID">: a sale's live figures on any page (docs/embed.md).

import { Feed } from "./feed.js";
import { headFigures, isInDollars, perToken, unitsOf } from "./figures.js";
import { paced } from "./pace.js";

const STYLE = `
:host { display: block; font: inherit }
:host([hidden]) { display: none }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9em, 1fr)); gap: .75em 1.5em; margin: 0 }
div { min-height: 3.25em }
dt { font-size: .875em; opacity: .75 }
dd { margin: 0; font-size: 1.375em; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
p { margin: .5em 0 0; min-height: 1.5em; font-size: .875em; opacity: .75 }
p::before { content: ""; display: inline-block; width: .625em; height: .625em; margin-right: .5em; border-radius: 50%; background: #c58a00 }
p[data-state=live]::before { background: #1fa463 }
[hidden] { display: none }
`;

const WORDS = { connecting: "Connecting…", live: "Live", lost: "Not live: trying again" };

/** The element. Attribute: `sale`, the UUID. Parts: `figures`, `figure`, `label`, `value`, `state`. */
class TidemarkSale extends HTMLElement {
  static observedAttributes = ["sale"];
  /** @type {Feed | undefined} */
  #feed;
  /** @type {import("./feed.js").Body | undefined} */
  #body;
  #root = this.attachShadow({ mode: "open" });
  #draw = paced(() => this.#show());

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    const figure = (/** @type {string} */ id, /** @type {string} */ label) =>
      `<div part="figure" id="${id}"><dt part="label">${label}</dt><dd part="value"><data>…</data></dd></div>`;
    this.#root.innerHTML = `<dl part="figures">${figure("total", "Committed")}${figure("count", "Commitments")}${figure("clearing", "Clearing price")}</dl><p part="state" role="status"></p>`;
  }

  connectedCallback() {
    this.#follow();
  }

  disconnectedCallback() {
    this.#feed?.close();
    this.#feed = undefined;
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#follow();
  }

  #follow() {
    this.#feed?.close();
    this.#body = undefined;
    this.#state("connecting");
    const sale = this.getAttribute("sale") ?? "";
    // The script is loaded from the service that it calls.
    const url = new URL(`sales/${encodeURIComponent(sale)}/commitment-data/stream`, import.meta.url);
    this.#feed = new Feed(url.href, {
      onBody: (body) => {
        this.#body = body;
        this.#draw();
      },
      onState: (state) => this.#state(state),
    });
  }

  /** @param {import("./feed.js").FeedState} state */
  #state(state) {
    const line = this.#root.querySelector("p");
    if (line === null) return;
    line.dataset["state"] = state;
    line.textContent = WORDS[state];
  }

  #show() {
    if (this.#body === undefined) return;
    const units = unitsOf(this.#body, isInDollars(this.#body));
    const { total, count, clearing } = headFigures(this.#body, units);
    this.#figure("total", total);
    this.#figure("count", count);
    this.#figure("clearing", clearing, `Clearing price ${perToken(units)}`);
  }

  /**
   * @param {string} id
   * @param {import("./figures.js").Figure | undefined} figure
   * @param {string} [label]
   */
  #figure(id, figure, label) {
    const box = this.#root.getElementById(id);
    const data = box?.querySelector("data");
    if (!box || !data) return;
    box.hidden = figure === undefined;
    if (figure === undefined) return;
    data.textContent = figure.text;
    data.value = data.title = figure.exact;
    const term = box.querySelector("dt");
    if (term !== null && label !== undefined) term.textContent = label;
  }
}

if (!customElements.get("tidemark-sale")) customElements.define("tidemark-sale", TidemarkSale);
