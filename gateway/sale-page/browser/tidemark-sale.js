// @ts-check
// <tidemark-sale sale="UUID">: a sale's live figures on any page (docs/embed.md).

import { fill } from "../../web/browser/message.js";
import { Feed } from "./feed.js";
import { headFigures, isInDollars, perToken, unitsOf } from "./figures.js";
import { livenessText } from "./liveness.js";
import { offerState } from "./offer-rules.js";
import { paced } from "./pace.js";
import { texts } from "./words.js";

const STYLE = `
:host{display:block;font:inherit}
:host([hidden]){display:none}
dl{display:grid;grid-template-columns:repeat(auto-fit, minmax(9em, 1fr));gap:.75em 1.5em;margin:0}
div{min-height:3.25em}
dt{font-size:.875em;opacity:.75}
dd{margin:0;font-size:1.375em;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
p{margin:.5em 0 0;min-height:1.5em;font-size:.875em;opacity:.75}
p::before{content:"";display:inline-block;width:.625em;height:.625em;margin-right:.5em;border-radius:50%;background:#c58a00}
p[data-state=live]::before{background:#1fa463}
[hidden]{display:none}
`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reasons why there is nothing to show, by the code of the event `tidemark:error`.
 *
 * @type {Readonly<Record<string, "missing" | "invalid" | "unknown">>}
 */
const ERRORS = { missing_id: "missing", invalid_id: "invalid", unknown_sale: "unknown" };

/**
 * The element. Attribute: `sale`, the UUID. Parts: `figures`, `figure`, `label`, `value`, `state`. Events:
 * `tidemark:update`, `tidemark:state`, `tidemark:error`.
 */
class TidemarkSale extends HTMLElement {
  static observedAttributes = ["sale"];
  /** @type {Feed | undefined} */
  #feed;
  /** @type {import("./feed.js").Body | undefined} */
  #body;
  /** Facts about the sale, once they have come. @type {import("./feed.js").SaleFacts | undefined} */
  #facts;
  #symbol = "";
  /** Whether it is in a document, and has its first attributes: an upgrade gives it those before it connects it. */
  #isShown = false;
  #root = this.attachShadow({ mode: "open" });
  #draw = paced(() => this.#show());

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    const { label: labels } = texts();
    const figure = (/** @type {string} */ id, /** @type {string} */ label) =>
      `<div part="figure" id="${id}"><dt part="label">${label}</dt><dd part="value"><data>…</data></dd></div>`;
    this.#root.innerHTML = `<dl part="figures">${figure("total", labels.committed)}${figure("count", labels.commitments)}${figure("clearing", "")}</dl><p part="state" role="status"></p>`;
  }

  connectedCallback() {
    this.#isShown = true;
    this.#follow();
  }

  disconnectedCallback() {
    this.#isShown = false;
    this.#feed?.close();
  }

  /**
   * @param {string} _name
   * @param {string | null} before
   * @param {string | null} after
   */
  attributeChangedCallback(_name, before, after) {
    if (this.#isShown && before !== after) this.#follow();
  }

  #follow() {
    this.#feed?.close();
    this.#body = undefined;
    this.#facts = undefined;
    const sale = this.getAttribute("sale")?.trim() ?? "";
    if (!UUID.test(sale)) {
      this.#fail(sale === "" ? "missing_id" : "invalid_id");
      return;
    }
    this.#takeLiveness({ name: "connecting", since: 0, fault: "" });
    // The script is loaded from the service that it calls.
    const url = new URL(`sales/${sale}/commitment-data/stream`, import.meta.url);
    this.#feed = new Feed(url.href, {
      onBody: (body) => {
        this.#body = body;
        this.#draw();
        this.#emit("update", body);
      },
      onLiveness: (liveness) => this.#takeLiveness(liveness),
      onSale: (facts) => {
        this.#facts = facts;
        this.#draw();
      },
      onHeartbeat: ({ PaymentSymbol }) => {
        this.#symbol = PaymentSymbol;
        this.#draw();
      },
    });
  }

  /** @param {import("./liveness.js").Liveness} liveness */
  #takeLiveness(liveness) {
    const { name, since, fault } = liveness;
    if (name === "unknown") {
      this.#fail("unknown_sale");
      return;
    }
    const text = livenessText(liveness);
    this.#showState(name, text, fault);
    this.#emit("state", { state: name, text, fault, since: since === 0 ? null : new Date(since) });
  }

  /** Says why there is nothing to show. @param {string} code */
  #fail(code) {
    const message = texts().element[ERRORS[code] ?? "unknown"];
    this.#showState("failed", message);
    this.#emit("error", { code, message });
  }

  /**
   * @param {string} name
   * @param {string} text
   * @param {string} [title]
   */
  #showState(name, text, title = "") {
    const [figures, line] = [this.#root.querySelector("dl"), this.#root.querySelector("p")];
    if (!figures || !line) return;
    figures.hidden = name === "failed";
    line.dataset["state"] = name;
    line.textContent = text;
    line.title = title;
  }

  /**
   * @param {string} name
   * @param {object} detail
   */
  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(`tidemark:${name}`, { bubbles: true, detail }));
  }

  #show() {
    if (this.#body === undefined) return;
    const units = unitsOf(this.#body, { dollars: isInDollars(this.#body), symbol: this.#symbol });
    const { total, count, clearing } = headFigures(this.#body, units);
    this.#figure("total", total);
    this.#figure("count", count);
    // Whether it is a clearing price follows from what the sale offers.
    if (clearing !== undefined && this.#facts === undefined) return;
    const { label } = texts();
    const isFloor = this.#facts !== undefined && offerState(this.#facts, this.#body).price?.kind === "floor";
    this.#figure("clearing", clearing, fill(isFloor ? label.floor : label.clearing, { per: perToken(units) }));
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
