// @ts-check
// How current the figures on a page are, in words. The page of a sale and the custom element say the same.

import { fill } from "../../web/browser/message.js";
import { timeText } from "./times.js";
import { texts } from "./words.js";

/**
 * @typedef {object} Liveness
 * @property {"connecting" | "live" | "settled" | "stopped" | "lost" | "unknown"} name `stopped`: the stream is there, but the
 *   sale's contract can't be read; `unknown`: there is no such sale
 * @property {number} since time of the last figures known to be current, in milliseconds; 0 where they are, or it is unknown
 * @property {string} fault why figures stand still, in words
 */

/**
 * @param {Liveness} liveness
 * @returns {string}
 */
export function livenessText({ name, since }) {
  const { liveness } = texts();
  switch (name) {
    case "connecting":
      return liveness.connecting;
    case "live":
      return liveness.live;
    case "settled":
      return liveness.over;
    case "stopped":
      return since === 0 ? liveness.stopped : fill(liveness.stoppedSince, { time: clockText(since) });
    case "lost":
      return since === 0 ? liveness.lost : fill(liveness.lostSince, { time: clockText(since) });
    default:
      return liveness.unknown;
  }
}

/** Returns a time of day, with the date unless it is today's. @param {number} at in milliseconds */
function clockText(at) {
  const isToday = timeText(at, "day") === timeText(Date.now(), "day");
  return timeText(at, isToday ? "clock" : "minute");
}
