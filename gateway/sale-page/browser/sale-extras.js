// @ts-check
// The second part of <tidemark-sale>: countdown, price, share of the offer, a wallet's position and the link. The first part shows the sale
// without waiting for it.

import { fill } from "../../web/browser/message.js";
import { awaitedText, leftText, secondsLeft, untilNextSecond } from "./countdown.js";
import { brokenRule, refusalText, ruleText } from "./look-up-texts.js";
import { PositionFollower } from "./position-follower.js";
import { positionView } from "./position-view.js";
import { shortText } from "./row-texts.js";
import { tilesOf } from "./tiles.js";
import { timeline } from "./timeline-rules.js";
import { timeText, UTC } from "./times.js";
import { texts } from "./words.js";

/** The tiles of a sale's page that the element has, beside those of its first part. */
const TILES = ["clearing", "price", "accepted"];

/** Longest wait between two looks at the clock: browsers end a longer timer at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const STYLE = `
#countdown{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .5em}
#left{font-weight:600;font-variant-numeric:tabular-nums}
.bar{display:block;width:100%;height:.5em;margin:.75em 0 .25em;border-radius:var(--tidemark-radius,.25em);overflow:hidden}
.whole{fill:currentColor;opacity:.15}
.done{fill:var(--tidemark-accent,#1a8aa3)}
.mark{fill:currentColor}
#position{margin-top:1em;padding-top:.75em;border-top:1px solid;border-color:color-mix(in srgb,currentColor 20%,transparent)}
#summary{font-weight:600}
#link{margin:.25em 0 0}
#outcomes dd{font-size:1.125em}
:host([layout=compact]) section{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25em 1.25em;padding:var(--tidemark-padding,.5em 1em)}
:host([layout=compact]) :is(#clearing,#price,#accepted,#outcomes,#note,#until,#share svg,#total dt){display:none}
:host([layout=compact]) :is(section,#head,dl) :is(div,p,dd){min-height:0;margin:0;padding:0;border:0}
:host([layout=compact]) #head{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25em .75em;flex-basis:100%}
:host([layout=compact]) :is(#share,#position){flex-basis:auto}
:host([layout=compact]) #position:not([hidden]){display:flex;flex-wrap:wrap;gap:0 .75em}
:host([layout=compact]) dd{font-size:1em}
`;

const COUNTDOWN = `<p part="countdown" id="countdown" hidden><span id="awaited"></span> <time id="until"></time> <span part="left" id="left" role="timer"></span></p>`;
const SHARE = `<div part="share" id="share" hidden><svg part="bar" class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="100" height="1"/><rect part="filled" class="done" height="1"/><rect class="mark" width=".5" height="1"/></svg><p id="share-text"></p></div>`;
const POSITION = `<div part="position" id="position" hidden><p id="wallet"></p><p part="summary" id="summary" role="status"></p><dl part="figures" id="outcomes" hidden></dl><p part="note" id="note"></p><p part="trouble" id="trouble" role="status"></p></div>`;
const LINK = `<p part="link" id="link"><a></a></p>`;

/**
 * @typedef {import("./figures.js").Figure} Figure
 *
 * @typedef {object} ShownSale what the first part shows
 * @property {import("./feed.js").SaleFacts | undefined} facts undefined for nothing
 * @property {import("./feed.js").Body | undefined} body undefined where no figures are shown
 * @property {import("./figures.js").Units | undefined} units
 * @property {string} sale its UUID
 * @property {string} wallet to show the position of; empty for none
 * @property {() => number} now in milliseconds since 1970
 * @property {URL} page of the sale
 * @property {string} positions URL of the public read of positions
 */

/** The parts of an element that its second script shows. */
export class SaleExtras {
  #root;
  #redraw;
  /** @type {ShownSale | undefined} */
  #shown;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {PositionFollower | undefined} */
  #follower;
  /** Sale and wallet that are followed. */
  #followed = "";
  /** @type {import("./position-view.js").Position | undefined} */
  #position;
  /** Body with which the position was last read. @type {import("./feed.js").Body | undefined} */
  #noted;

  /**
   * @param {ShadowRoot} root
   * @param {() => void} redraw shows the sale again once the awaited time has come
   */
  constructor(root, redraw) {
    this.#root = root;
    this.#redraw = redraw;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets.push(sheet);
    find(root, "head").insertAdjacentHTML("beforeend", COUNTDOWN);
    find(root, "figures").insertAdjacentHTML("afterend", SHARE + POSITION);
    find(root, "line").insertAdjacentHTML("afterend", LINK);
  }

  /** Shows another state of the sale. @param {ShownSale} shown */
  show(shown) {
    this.#shown = shown;
    this.#tick();
    this.#showFigures(shown);
    this.#follow(shown);
    this.#showPosition();
    const link = find(this.#root, "link");
    link.hidden = shown.facts === undefined;
    const anchor = /** @type {HTMLAnchorElement} */ (link.firstElementChild);
    const hash = this.#followed === "" ? "" : `#${new URLSearchParams({ wallet: shown.wallet })}`;
    anchor.href = new URL(hash, shown.page).href;
    write(anchor, texts().element.open);
  }

  /** Ends timers and reads; `show` begins again. */
  stop() {
    clearTimeout(this.#timer);
    this.#unfollow();
  }

  /** Shows the time that is left, and goes on with each second. */
  #tick() {
    clearTimeout(this.#timer);
    const { facts, now } = /** @type {ShownSale} */ (this.#shown);
    const awaited = facts && timeline(facts, now()).awaited;
    this.#part("countdown").hidden = awaited === undefined;
    if (awaited === undefined) return;
    const { name, time } = awaited;
    const left = secondsLeft(awaited, now());
    this.#write("awaited", awaitedText(name));
    this.#write("left", left === 0 ? texts().time.due : leftText(left));
    const until = /** @type {HTMLTimeElement} */ (this.#part("until"));
    until.dateTime = time;
    until.title = `${timeText(time, "minute", UTC)} ${UTC}`;
    write(until, timeText(time, "minute"));
    this.#timer = setTimeout(
      () => {
        // Whoever sleeps or hides the page misses the second in which the time comes.
        if (left > 0 && secondsLeft(awaited, now()) === 0) this.#redraw();
        else this.#tick();
      },
      Math.min(untilNextSecond(time, now()), LONGEST_TIMER_MS),
    );
  }

  /** @param {ShownSale} shown */
  #showFigures({ facts, body, units }) {
    const tiles = facts && body && units ? tilesOf(facts, body, units) : [];
    const figures = find(this.#root, "figures");
    for (const id of TILES) {
      const tile = tiles.find((each) => each.id === id && each.isHidden !== true);
      const box = this.#root.getElementById(id) ?? addFigure(figures, id);
      box.hidden = tile === undefined;
      if (tile) showFigure(box, tile.label, tile.figure);
    }
    const { note = "", bar, mark = 100 } = tiles.find(({ id }) => id === "total") ?? {};
    const share = this.#part("share");
    share.hidden = bar === undefined;
    if (bar === undefined) return;
    this.#write("share-text", note);
    const [, done, end] = share.querySelectorAll("rect");
    done?.setAttribute("width", String(bar));
    end?.setAttribute("x", String(mark));
    // An end of the bar needs no mark.
    end?.toggleAttribute("hidden", mark === 100);
  }

  /** Reads the position of the wallet that the attribute names, and again while the sale's figures change. @param {ShownSale} shown */
  #follow({ facts, body, sale, wallet, positions }) {
    const followed = facts === undefined || wallet === "" ? "" : `${sale} ${wallet}`;
    if (followed !== this.#followed) {
      this.#unfollow();
      this.#followed = followed;
      if (followed !== "") this.#begin(positions, sale, wallet);
    } else if (body !== this.#noted) this.#follower?.note();
    this.#noted = body;
  }

  /**
   * @param {string} url
   * @param {string} sale
   * @param {string} wallet
   */
  #begin(url, sale, wallet) {
    const rule = brokenRule(wallet, "");
    if (rule !== undefined) {
      this.#write("trouble", ruleText(rule, ""));
      return;
    }
    this.#follower = new PositionFollower(url, sale, {
      onPosition: (position) => {
        this.#position = position;
        this.#write("trouble", "");
        this.#showPosition();
      },
      onCurrent: () => this.#write("trouble", ""),
      onTrouble: (status) => this.#write("trouble", `${refusalText(status)} ${texts().lookUp.again}`),
      onRefused: (broken) => {
        this.#position = undefined;
        this.#showPosition();
        this.#write("trouble", ruleText(broken, ""));
      },
    });
    this.#follower.follow(wallet);
  }

  #unfollow() {
    this.#follower?.close();
    this.#follower = this.#position = undefined;
    this.#followed = "";
    this.#write("trouble", "");
  }

  #showPosition() {
    const { facts, units, wallet, now } = /** @type {ShownSale} */ (this.#shown);
    this.#part("position").hidden = this.#followed === "";
    if (facts === undefined || this.#followed === "") return;
    // A wallet's own amounts are exact.
    const shown =
      this.#position &&
      units &&
      positionView(this.#position, { facts, units: { ...units, isShort: false }, now: now() });
    this.#write("wallet", fill(texts().element.wallet, { wallet: shortText(wallet) }));
    this.#part("wallet").title = wallet;
    this.#write("summary", shown?.summary ?? "");
    this.#write(
      "note",
      shown === undefined ? "" : [shown.none, shown.note, shown.differs ? texts().lookUp.differs : ""].join(" ").trim(),
    );
    const outcomes = this.#part("outcomes");
    outcomes.hidden = (shown?.outcomes.length ?? 0) === 0;
    outcomes.replaceChildren();
    for (const { label, figure } of shown?.outcomes ?? []) showFigure(addFigure(outcomes, ""), label, figure);
  }

  /** @param {string} id */
  #part(id) {
    return find(this.#root, id);
  }

  /**
   * @param {string} id
   * @param {string} text
   */
  #write(id, text) {
    write(this.#part(id), text);
  }
}

/**
 * @param {ShadowRoot} root
 * @param {string} id of a part that is always there
 */
function find(root, id) {
  return /** @type {HTMLElement} */ (root.getElementById(id));
}

/**
 * @param {HTMLElement} list
 * @param {string} id
 */
function addFigure(list, id) {
  list.insertAdjacentHTML(
    "beforeend",
    `<div part="figure"><dt part="label"></dt><dd part="value"><data></data></dd></div>`,
  );
  const box = /** @type {HTMLElement} */ (list.lastElementChild);
  if (id !== "") box.id = id;
  return box;
}

/**
 * @param {HTMLElement} box
 * @param {string} label
 * @param {Figure} figure
 */
function showFigure(box, label, { text, exact }) {
  const term = /** @type {HTMLElement} */ (box.querySelector("dt"));
  const data = /** @type {HTMLDataElement} */ (box.querySelector("data"));
  write(term, label);
  write(data, text);
  data.value = data.title = exact;
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
