// @ts-check
// How current the figures on a page are, in words. The page of a sale, without script too, and the custom element say the same.

import { fill } from "../../web/browser/message.js";
import { feedFaultNamed } from "./sale-rules.js";
import { timeText } from "./times.js";
import { texts } from "./words.js";

/**
 * @typedef {object} Liveness
 * @property {"connecting" | "live" | "settled" | "stopped" | "lost" | "unknown"} name `stopped`: the stream is there, but the
 *   sale's contract can't be read; `unknown`: there is no such sale
 * @property {number} since time of the last figures known to be current, in milliseconds; 0 where they are, or it is unknown
 * @property {string} fault why figures stand still, in words
 *
 * @typedef {object} FeedReport what a server says of where its figures come from
 * @property {{ LastSuccess: number } | null} [AsOf]
 * @property {number} [BehindSeconds]
 * @property {string} [Fault]
 * @property {boolean} [Settled]
 */

/**
 * Returns how current figures are that a server has sent just now.
 *
 * @param {FeedReport | undefined} report
 * @param {number} now in milliseconds
 * @returns {Liveness}
 */
export function reportedLiveness({ AsOf, BehindSeconds = 0, Fault = "", Settled = false } = {}, now) {
  if (Settled) return { name: "settled", since: 0, fault: "" };
  // Allocations that contradict each other leave the other figures as current as they were.
  if (Fault === "" || feedFaultNamed(Fault) === "different") return { name: "live", since: 0, fault: "" };
  return { name: "stopped", since: AsOf ? 1000 * AsOf.LastSuccess : now - 1000 * BehindSeconds, fault: Fault };
}

/**
 * @param {Omit<Liveness, "fault">} liveness
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
export function clockText(at) {
  const isToday = timeText(at, "day") === timeText(Date.now(), "day");
  return timeText(at, isToday ? "clock" : "minute");
}
