// @ts-check

import { fetchInTime } from "./deadline.js";

/** Difference up to which the clock stays as it is: answers have whole seconds, and take their time. */
const TOLERANCE_MS = 1_000;
const HALF_SECOND_MS = 500;

/** The server's clock. That of the reader may be wrong by hours. */
export class ServerClock {
  #url;
  /** Added to the page's own time, in milliseconds. @type {number | undefined} */
  #offset;
  /** The request under way. @type {Promise<void> | undefined} */
  #asked;

  /** @param {string} url of an answer that is never stored */
  constructor(url) {
    this.#url = url;
  }

  /** Milliseconds since 1970; undefined while they aren't known. */
  get now() {
    return this.#offset === undefined ? undefined : performance.now() + this.#offset;
  }

  /** Asks the server, once for all who ask meanwhile. The page's own time may stand still while the machine sleeps. Never fails. */
  refresh() {
    this.#asked ??= this.#ask();
    return this.#asked;
  }

  async #ask() {
    const sentAt = performance.now();
    const answer = await fetchInTime(this.#url, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
    this.#asked = undefined;
    const date = Date.parse(answer?.headers.get("date") ?? "");
    if (Number.isNaN(date)) return;
    const offset = date + HALF_SECOND_MS - (sentAt + performance.now()) / 2;
    if (this.#offset === undefined || Math.abs(offset - this.#offset) > TOLERANCE_MS) this.#offset = offset;
  }
}

/** @type {ServerClock | undefined} */
let shared;

/** Returns the one clock of a page, for all its scripts. @param {string} url as of `ServerClock` */
export function pageClock(url) {
  shared ??= new ServerClock(url);
  return shared;
}
