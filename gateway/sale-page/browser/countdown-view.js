// @ts-check

import { announcement, awaitedText, leftText, secondsLeft, untilNextSecond } from "./countdown.js";
import { stageTexts } from "./stage-texts.js";
import { timeline } from "./timeline-rules.js";
import { showTime } from "./times-view.js";
import { texts } from "./words.js";

/** The countdown on a sale's page, by the server's clock and in the reader's time zone, and all else that follows from the time. */
export class CountdownView {
  #clock;
  #onTime;
  /** @type {import("./sale-texts.js").ShownFacts} */
  #sale;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Seconds that were left last; nothing is announced before they are known. */
  #left = 0;

  /**
   * @param {import("./clock.js").ServerClock} clock
   * @param {import("./sale-texts.js").ShownFacts} sale
   * @param {(stage: import("./stage-texts.js").StageTexts) => void} onTime called for each state of the sale, and each second until the time
   *   that readers wait for
   */
  constructor(clock, sale, onTime) {
    this.#clock = clock;
    this.#sale = sale;
    this.#onTime = onTime;
  }

  /** Shows another state of the sale. @param {import("./sale-texts.js").ShownFacts} sale */
  async update(sale) {
    this.#sale = sale;
    if (this.#clock.now === undefined) await this.#clock.refresh();
    this.draw();
  }

  /** Shows the time that is left, and goes on with each second. */
  draw() {
    clearTimeout(this.#timer);
    const { now } = this.#clock;
    if (now === undefined) return;
    this.#onTime(stageTexts(this.#sale, now));
    const { steps, awaited } = timeline(this.#sale, now);
    for (const { name, isReached } of steps) showStep(name, isReached, name === awaited?.name);
    part("countdown").hidden = awaited === undefined;
    if (awaited === undefined) return;
    this.#show(awaited, now);
    this.#timer = setTimeout(() => this.draw(), untilNextSecond(awaited.time, now));
  }

  /**
   * @param {import("./countdown.js").Awaited} awaited
   * @param {number} now
   */
  #show(awaited, now) {
    const left = secondsLeft(awaited, now);
    write("awaited", awaitedText(awaited.name));
    write("left", left === 0 ? texts().time.due : leftText(left));
    part("left").toggleAttribute("data-due", left === 0);
    const until = part("until");
    if (until instanceof HTMLTimeElement) showTime(until, awaited.time);
    const said = announcement(awaited.name, this.#left, left);
    if (said !== undefined) write("said", said);
    this.#left = left;
  }
}

/**
 * Shows where the sale is on its timeline.
 *
 * @param {string} name of a step
 * @param {boolean} isReached
 * @param {boolean} isAwaited
 */
function showStep(name, isReached, isAwaited) {
  const step = document.querySelector(`[data-step="${name}"]`);
  step?.toggleAttribute("data-reached", isReached);
  if (isAwaited) step?.setAttribute("aria-current", "step");
  else step?.removeAttribute("aria-current");
}

/** @param {string} id */
function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * @param {string} id
 * @param {string} text
 */
function write(id, text) {
  const element = part(id);
  if (element.textContent !== text) element.textContent = text;
}
