// @ts-check
// How current the figures on a page are, in words. The page of a sale and the custom element say the same.

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
  const from = since === 0 ? "" : ` since ${clockText(since)}`;
  switch (name) {
    case "connecting":
      return "Connecting…";
    case "live":
      return "Live";
    case "settled":
      return "The sale is over";
    case "stopped":
      return `No new figures${from}`;
    case "lost":
      return `Not live${from}: trying again`;
    default:
      return "There is no sale with this ID";
  }
}

/** Returns a time of day in UTC, with the date unless it is today's. @param {number} at in milliseconds */
function clockText(at) {
  const [day = "", time = ""] = new Date(at).toISOString().split("T");
  const isToday = new Date().toISOString().startsWith(day);
  return `${isToday ? "" : `${day} `}${time.slice(0, 5)} UTC`;
}
