// @ts-check
// The time that readers of a sale's page wait for. Runs in the browser and on the server, so that both say the same.

import { fillCounted } from "../../web/browser/message.js";
import { language, texts } from "./words.js";

const SECOND_MS = 1_000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Days from which on nobody counts seconds. */
const MOST_DAYS = 100;
/** Seconds left at which screen readers say so: a clock that they read out each second would drown everything else. */
const ANNOUNCED = [HOUR, 10 * MINUTE, MINUTE, 0];

/** @typedef {NonNullable<import("../../../common/sale/state/timeline.ts").Timeline["awaited"]>} Awaited */

/**
 * Returns the whole seconds until a time, rounded up, so that 0 is shown when it has come and not a second before.
 *
 * @param {Awaited} awaited
 * @param {number} now in milliseconds since 1970
 */
export function secondsLeft({ time }, now) {
  return Math.max(0, Math.ceil((Date.parse(time) - now) / 1_000));
}

/**
 * Returns the milliseconds until a countdown shows another second. After the time it counts from below.
 *
 * @param {string} time
 * @param {number} now in milliseconds since 1970
 */
export function untilNextSecond(time, now) {
  const rest = (Date.parse(time) - now) % SECOND_MS;
  return rest > 0 ? rest : rest + SECOND_MS;
}

/** @param {number} seconds */
export function leftText(seconds) {
  const days = Math.floor(seconds / DAY);
  if (days >= MOST_DAYS) return fillCounted(texts().time.days, days, language(), {});
  const clock = [Math.floor(seconds / HOUR) % 24, Math.floor(seconds / MINUTE) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
  return days === 0 ? clock : fillCounted(texts().time.left, days, language(), { clock });
}

/** @param {Awaited["name"]} name */
export function awaitedText(name) {
  const { time } = texts();
  // Nobody waits for the announcement, once there is a page.
  return name === "announced" ? "" : time[name];
}

/**
 * Returns what screen readers say when so much time is left as they announce.
 *
 * @param {Awaited["name"]} name
 * @param {number} before seconds that were left at the last look
 * @param {number} left
 * @returns {string | undefined}
 */
export function announcement(name, before, left) {
  const passed = ANNOUNCED.findLast((mark) => before > mark && left <= mark);
  if (passed === undefined) return undefined;
  if (passed === 0) return texts().time.due;
  return fillCounted(texts().time.inMinutes, passed / MINUTE, language(), { awaited: awaitedText(name) });
}
