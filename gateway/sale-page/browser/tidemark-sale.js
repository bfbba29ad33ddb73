// @ts-check
// <tidemark-sale sale="UUID">: a sale's live figures on any page (docs/embed.md).

import { fill } from "../../web/browser/message.js";
import { pageClock } from "./clock.js";
import { Feed } from "./feed.js";
import { headFigures, isInDollars, perToken, unitsOf } from "./figures.js";
import { livenessText } from "./liveness.js";
import { offerState } from "./offer-rules.js";
import { paced } from "./pace.js";
import { feedFaultNamed } from "./sale-rules.js";
import { stageTexts } from "./stage-texts.js";
import { timeText, UTC } from "./times.js";
import { texts } from "./words.js";

const STYLE = `
:host{display:block;font:inherit}
:host([hidden]){display:none}
dl{display:grid;grid-template-columns:repeat(auto-fit, minmax(9em, 1fr));gap:.75em 1.5em;margin:0}
div{min-height:3.25em}
dt{font-size:.875em;opacity:.75}
dd{margin:0;font-size:1.375em;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
p{margin:0 0 .25em;overflow-wrap:anywhere}
a{color:inherit}
#head{min-height:4em;margin-bottom:.75em}
#name{font-size:1.125em;font-weight:600}
#test,#status{display:inline-block;padding:0 .5em;border:1px solid;border-radius:1em;font-size:.875em}
#line{margin:.5em 0 0;min-height:1.5em;font-size:.875em;opacity:.75}
#line::before{content:"";display:inline-block;width:.625em;height:.625em;margin-right:.5em;border-radius:50%;background:#c58a00}
#line[data-state=live]::before{background:#1fa463}
[data-empty] #line[data-state=live]{display:none}
[hidden]{display:none!important}
`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Browsers end a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Reasons why there is nothing to show, by the code of the event `tidemark:error`.
 *
 * @type {Readonly<Record<string, "missing" | "invalid" | "unknown">>}
 */
const ERRORS = { missing_id: "missing", invalid_id: "invalid", unknown_sale: "unknown" };

/**
 * The element. Attribute: `sale`, the UUID. Parts: `sale`, `name`, `test`, `stage`, `status`, `figures`, `figure`, `label`, `value`,
 * `state`. Events: `tidemark:update`, `tidemark:state`, `tidemark:error`.
 */
class TidemarkSale extends HTMLElement {
  static observedAttributes = ["sale"];
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
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #draw = paced(() => this.#show());

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    const { label: labels } = texts();
    const figure = (/** @type {string} */ id, /** @type {string} */ label) =>
      `<div part="figure" id="${id}"><dt part="label">${label}</dt><dd part="value"><data>…</data></dd></div>`;
    const head = `<div id="head" hidden><p part="name"><a id="name"></a></p><p part="test" id="test">${texts().about.test}</p><p part="stage"><span part="status" id="status"></span> <span id="stage"></span> <span id="awaited"></span> <time id="until"></time></p></div>`;
    const figures = `<dl part="figures" hidden>${figure("total", labels.committed)}${figure("count", labels.commitments)}${figure("clearing", "")}</dl>`;
    this.#root.innerHTML = `<section part="sale">${head}${figures}<p id="line" part="state" role="status"></p></section>`;
  }

  connectedCallback() {
    this.#isShown = true;
    this.#follow();
  }

  disconnectedCallback() {
    this.#isShown = false;
    this.#feed?.close();
    clearTimeout(this.#timer);
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
    this.#body = this.#facts = this.#last = undefined;
    this.#show();
    const sale = this.getAttribute("sale")?.trim() ?? "";
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
   * Shows announced times by the service's clock: the reader's may be wrong by hours. Waits for it a second at most, and shows them again
   * once it is known: a page with six streams has no connection left to ask by.
   *
   * @param {import("./feed.js").SaleFacts} facts
   */
  async #takeSale(facts) {
    this.#last = facts;
    const asked = (facts.OpensAt ?? facts.ClosesAt) && this.#clock?.refresh().then(this.#draw);
    await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    // Others have come since, or the attribute names another sale.
    if (facts !== this.#last) return;
    this.#facts = facts;
    this.#draw();
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
    this.#showAgainAt(stage?.awaited?.time);
    // An announced time alone doesn't say that nobody has committed: a sale without a contract may be open before.
    const isEmpty = this.#facts?.Stage === "pre_open" || (this.#body?.UniqueCommitmentCount ?? 0) === 0;
    const isBefore = stage?.phase === "upcoming" && isEmpty;
    // "Live" would be about figures that aren't there yet, and read as if the sale were.
    this.#root.querySelector("section")?.toggleAttribute("data-empty", isBefore);
    const hasFigures = this.#body !== undefined && !isBefore;
    const figures = this.#root.querySelector("dl");
    if (figures !== null) figures.hidden = !hasFigures;
    if (this.#body === undefined || !hasFigures) return;
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

  /** Shows the sale again once an announced time has come: nothing need come from the service then. @param {string} [time] */
  #showAgainAt(time) {
    clearTimeout(this.#timer);
    const rest = time === undefined ? 0 : Date.parse(time) - this.#now;
    if (rest > 0) this.#timer = setTimeout(() => this.#show(), Math.min(rest, LONGEST_TIMER_MS));
  }

  /** Shows what the sale is and where it is. @param {import("./stage-texts.js").StageTexts} stage */
  #showHead({ status, title, text, awaited }) {
    const { Name = "", Tenancy } = this.#facts ?? {};
    this.#root.querySelector("section")?.setAttribute("aria-label", Name);
    this.#write("name", Name);
    const sale = this.getAttribute("sale")?.trim();
    this.#root.getElementById("name")?.setAttribute("href", new URL(`/sales/${sale}`, import.meta.url).href);
    this.#hide("test", Tenancy !== "test");
    this.#write("status", status);
    this.#write("stage", [title, text].filter(Boolean).join(". "));
    this.#write("awaited", awaited === undefined ? "" : texts().time[awaited.name]);
    const until = this.#root.getElementById("until");
    if (!(until instanceof HTMLTimeElement)) return;
    const { time } = awaited ?? { time: "" };
    until.dateTime = time;
    until.title = time && `${timeText(time, "minute", UTC)} ${UTC}`;
    this.#write("until", time && timeText(time, "minute"));
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
