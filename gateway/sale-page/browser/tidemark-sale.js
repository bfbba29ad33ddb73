// @ts-check
// <tidemark-sale sale="UUID">: a sale's live figures on any page (docs/embed.md).

import { pageClock } from "./clock.js";
import { Feed } from "./feed.js";
import { headFigures, isInDollars, shortUnits, unitsOf } from "./figures.js";
import { livenessText } from "./liveness.js";
import { loadExtras } from "./load-extras.js";
import { paced } from "./pace.js";
import { feedFaultNamed } from "./sale-rules.js";
import { stageTexts } from "./stage-texts.js";
import { texts } from "./words.js";

const STYLE = `
:host{display:block;font:inherit}
:host([hidden]){display:none}
dl{display:grid;grid-template-columns:repeat(auto-fit, minmax(9em, 1fr));gap:.75em 1.5em;margin:0}
dl>div{min-height:3.25em}
dt{font-size:.875em;opacity:.75}
dd{margin:0;font-size:1.375em;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
p{margin:0 0 .25em;overflow-wrap:anywhere}
a{color:inherit}
section{box-sizing:border-box;padding:var(--tidemark-padding,1em 1.25em);border:var(--tidemark-border,1px solid #8885);border-radius:var(--tidemark-radius,.75em);background:var(--tidemark-background,none);color:var(--tidemark-color,inherit);font-family:var(--tidemark-font,inherit)}
#head{min-height:4em;margin-bottom:.75em}
#name{font-size:1.125em;font-weight:600}
#test,#status{display:inline-block;padding:0 .5em;border:1px solid;border-radius:1em;font-size:.875em}
#line{margin:.5em 0 0;min-height:1.5em;font-size:.875em;opacity:.75}
#line::before{content:"";display:inline-block;width:.625em;height:.625em;margin-right:.5em;border-radius:50%;background:#c58a00}
#line[data-state=live]::before{background:#1fa463}
[data-empty] #line[data-state=live]{display:none}
:host([layout=compact]) :is(#count,#stage){display:none}
[hidden]{display:none!important}
`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reasons why there is nothing to show, by the code of the event `tidemark:error`.
 *
 * @type {Readonly<Record<string, "missing" | "invalid" | "unknown">>}
 */
const ERRORS = { missing_id: "missing", invalid_id: "invalid", unknown_sale: "unknown" };

/**
 * The element. Attributes: `sale`, the UUID; `wallet`, whose position is shown; `layout`, `compact` or `full`. Parts: `sale`, `name`,
 * `test`, `stage`, `status`, `figures`, `figure`, `label`, `value`, `state`, and those of `sale-extras.js`. Events: `tidemark:update`,
 * `tidemark:state`, `tidemark:error`.
 */
class TidemarkSale extends HTMLElement {
  static observedAttributes = ["sale", "wallet"];
  /** @type {Feed | undefined} */
  #feed;
  /** @type {import("./feed.js").Body | undefined} */
  #body;
  /** Facts about the sale, once they have come. @type {import("./feed.js").SaleFacts | undefined} */
  #facts;
  /** The facts that came last, while they wait for the clock. @type {import("./feed.js").SaleFacts | undefined} */
  #last;
  /** @type {ReturnType<typeof pageClock> | undefined} */
  #clock;
  #symbol = "";
  /** Whether it is in a document, and has its first attributes: an upgrade gives it those before it connects it. */
  #isShown = false;
  #root = this.attachShadow({ mode: "open" });
  /** The second part, once it has been loaded. @type {import("./sale-extras.js").SaleExtras | undefined} */
  #extras;
  #loaded = loadExtras()
    .then(({ SaleExtras }) => {
      this.#extras = new SaleExtras(this.#root, () => this.#show());
    })
    .catch(() => {});
  #draw = paced(() => this.#show());

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    const { label: labels } = texts();
    const figure = (/** @type {string} */ id, /** @type {string} */ label) =>
      `<div part="figure" id="${id}"><dt part="label">${label}</dt><dd part="value"><data>…</data></dd></div>`;
    const head = `<div id="head" hidden><p part="name"><a id="name"></a></p><p part="test" id="test">${texts().about.test}</p><p part="stage"><span part="status" id="status"></span> <span id="stage"></span></p></div>`;
    const figures = `<dl part="figures" id="figures" hidden>${figure("total", labels.committed)}${figure("count", labels.commitments)}</dl>`;
    this.#root.innerHTML = `<section part="sale">${head}${figures}<p id="line" part="state" role="status"></p></section>`;
  }

  connectedCallback() {
    this.#isShown = true;
    this.#follow();
  }

  disconnectedCallback() {
    this.#isShown = false;
    this.#feed?.close();
    this.#extras?.stop();
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} after
   */
  attributeChangedCallback(name, before, after) {
    if (!this.#isShown || before === after) return;
    if (name === "sale") this.#follow();
    else this.#show();
  }

  #follow() {
    this.#feed?.close();
    this.#body = this.#facts = this.#last = undefined;
    this.#show();
    const sale = this.#sale;
    if (!UUID.test(sale)) {
      this.#fail(sale === "" ? "missing_id" : "invalid_id");
      return;
    }
    this.#takeLiveness({ name: "connecting", since: 0, fault: "" });
    // The script is loaded from the service that it calls.
    const url = new URL(`sales/${sale}/commitment-data/stream`, import.meta.url);
    this.#clock = pageClock(new URL(`sales/${sale}`, import.meta.url).href);
    this.#feed = new Feed(url.href, {
      onBody: (body) => {
        this.#body = body;
        this.#draw();
        this.#emit("update", body);
      },
      onLiveness: (liveness) => this.#takeLiveness(liveness),
      onSale: (facts) => void this.#takeSale(facts),
      onHeartbeat: ({ PaymentSymbol }) => {
        this.#symbol = PaymentSymbol;
        this.#draw();
      },
    });
  }

  /**
   * Shows announced times by the service's clock: the reader's may be wrong by hours. Waits for it and for the second part a second at most,
   * and shows them again once they are there: a page with six streams has no connection left to ask by.
   *
   * @param {import("./feed.js").SaleFacts} facts
   */
  async #takeSale(facts) {
    this.#last = facts;
    const { OpensAt, ClosesAt, CancelUntil, SettlesAt, ClaimsAt } = facts;
    const asked = (OpensAt ?? ClosesAt ?? CancelUntil ?? SettlesAt ?? ClaimsAt) && this.#clock?.refresh();
    const all = Promise.all([asked, this.#loaded]).then(this.#draw);
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    // Others have come since, or the attribute names another sale.
    if (facts !== this.#last) return;
    this.#facts = facts;
    this.#draw();
  }

  get #sale() {
    return this.getAttribute("sale")?.trim() ?? "";
  }

  /** The sale's own page. */
  get #page() {
    return new URL(`/sales/${this.#sale}`, import.meta.url);
  }

  get #now() {
    return this.#clock?.now ?? Date.now();
  }

  /** @param {import("./liveness.js").Liveness} liveness */
  #takeLiveness(liveness) {
    const { name, since, fault } = liveness;
    if (name === "unknown") {
      this.#fail("unknown_sale");
      return;
    }
    const text = this.#sentence(liveness);
    this.#showState(name, text);
    this.#emit("state", { state: name, text, fault, since: since === 0 ? null : new Date(since) });
  }

  /** Returns how current the figures are, and why they aren't. @param {import("./liveness.js").Liveness} liveness */
  #sentence(liveness) {
    const { name, since, fault } = liveness;
    if (name === "lost" && since === 0) return texts().element.away;
    const reason = feedFaultNamed(fault);
    const why = reason === undefined ? fault : texts().fault[reason];
    return why === "" ? livenessText(liveness) : `${livenessText(liveness)}. ${why}`;
  }

  /** Says why there is nothing to show. @param {string} code */
  #fail(code) {
    this.#body = this.#facts = this.#last = undefined;
    this.#show();
    const message = texts().element[ERRORS[code] ?? "unknown"];
    this.#showState("failed", message);
    this.#emit("error", { code, message });
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  #showState(name, text) {
    const line = this.#root.getElementById("line");
    if (line === null) return;
    line.dataset["state"] = name;
    line.textContent = text;
  }

  /**
   * @param {string} name
   * @param {object} detail
   */
  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(`tidemark:${name}`, { bubbles: true, detail }));
  }

  #show() {
    const stage = this.#facts && stageTexts(this.#facts, this.#now);
    if (stage !== undefined) this.#showHead(stage);
    this.#hide("head", stage === undefined);
    // An announced time alone doesn't say that nobody has committed: a sale without a contract may be open before.
    const isEmpty = this.#facts?.Stage === "pre_open" || (this.#body?.UniqueCommitmentCount ?? 0) === 0;
    const isBefore = stage?.phase === "upcoming" && isEmpty;
    // "Live" would be about figures that aren't there yet, and read as if the sale were.
    this.#root.querySelector("section")?.toggleAttribute("data-empty", isBefore);
    const body = isBefore ? undefined : this.#body;
    this.#hide("figures", body === undefined);
    const units =
      this.#body && shortUnits(unitsOf(this.#body, { dollars: isInDollars(this.#body), symbol: this.#symbol }));
    if (body && units) {
      const { total, count } = headFigures(body, units);
      this.#figure("total", total);
      this.#figure("count", count);
    }
    this.#extras?.show({
      facts: this.#facts,
      body,
      units,
      sale: this.#sale,
      wallet: this.getAttribute("wallet")?.trim() ?? "",
      now: () => this.#now,
      page: this.#page,
      positions: new URL("read-position", import.meta.url).href,
    });
  }

  /** Shows what the sale is and where it is. @param {import("./stage-texts.js").StageTexts} stage */
  #showHead({ status, title, text }) {
    const { Name = "", Tenancy } = this.#facts ?? {};
    this.#root.querySelector("section")?.setAttribute("aria-label", Name);
    this.#write("name", Name);
    this.#root.getElementById("name")?.setAttribute("href", this.#page.href);
    this.#hide("test", Tenancy !== "test");
    this.#write("status", status);
    this.#write("stage", [title, text].filter(Boolean).join(". "));
  }

  /**
   * @param {string} id
   * @param {string} text
   */
  #write(id, text) {
    const element = this.#root.getElementById(id);
    if (element !== null && element.textContent !== text) element.textContent = text;
  }

  /**
   * @param {string} id
   * @param {boolean} isHidden
   */
  #hide(id, isHidden) {
    const element = this.#root.getElementById(id);
    if (element !== null) element.hidden = isHidden;
  }

  /**
   * @param {string} id
   * @param {import("./figures.js").Figure} figure
   */
  #figure(id, { text, exact }) {
    const data = this.#root.querySelector(`#${id} data`);
    if (!(data instanceof HTMLDataElement)) return;
    data.textContent = text;
    data.value = data.title = exact;
  }
}

if (!customElements.get("tidemark-sale")) customElements.define("tidemark-sale", TidemarkSale);
