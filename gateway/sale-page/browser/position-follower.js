// @ts-check
// Reads what a wallet has committed, and again while the sale's figures change (docs/public-read.md).

import { fetchInTime } from "./deadline.js";

/** Shortest time between two reads of a wallet; up to half as much again, so that readers don't come in waves. */
const INTERVAL_MS = 10_000;
const SPREAD = 0.5;
/** Time before another try where the answer doesn't name one. It doubles with each refusal. */
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;
/** Answers that another try wouldn't change. */
const FINAL_STATUSES = [400, 404];

/**
 * @typedef {import("./position-view.js").Position} Position
 * @typedef {{ Wallet: string, PageToken?: string }} PositionQuery what is followed
 *
 * @typedef {object} FollowListener
 * @property {(position: Position, isLater: boolean) => void} onPosition each state of the position, or of a page after the first one
 * @property {() => void} onCurrent the position is still the one before
 * @property {(status: number) => void} onTrouble it can't be read now, and is tried again later; 0 without an answer
 * @property {(rule: string) => void} onRefused the rule that the wallet breaks; empty where there is no such sale
 */

/**
 * A wallet's position, read again at a bounded pace after `note`, and not while the page is hidden. Nothing is read of a
 * wallet that nobody follows any more.
 */
export class PositionFollower {
  #url;
  #sale;
  #listener;
  /** Undefined for nothing. @type {PositionQuery | undefined} */
  #query;
  #etag = "";
  /** Whether the sale has changed since the last read began. */
  #isDue = false;
  #isReading = false;
  #refusals = 0;
  /** Earliest time of the next read, by the monotonic clock. */
  #notBefore = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #closed = new AbortController();

  /**
   * @param {string} url of the public read of positions
   * @param {string} sale its UUID
   * @param {FollowListener} listener
   */
  constructor(url, sale, listener) {
    this.#url = url;
    this.#sale = sale;
    this.#listener = listener;
    document.addEventListener("visibilitychange", () => this.#plan(), { signal: this.#closed.signal });
  }

  /**
   * Reads a wallet now, and follows it instead of the one before.
   *
   * @param {string} wallet
   * @param {string} [pageToken] of a later page
   */
  follow(wallet, pageToken = "") {
    this.stop();
    this.#query = { Wallet: wallet, ...(pageToken !== "" && { PageToken: pageToken }) };
    void this.#read(this.#query);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#query = undefined;
    this.#etag = "";
    this.#isDue = false;
    this.#isReading = false;
    this.#refusals = 0;
  }

  /** Follows nothing ever again. */
  close() {
    this.stop();
    this.#closed.abort();
  }

  /** Takes note of a change of the sale. */
  note() {
    this.#isDue = true;
    this.#plan();
  }

  #plan() {
    if (!this.#isDue || this.#isReading || this.#timer !== undefined || this.#query === undefined || document.hidden)
      return;
    const wait = Math.max(0, this.#notBefore - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#query !== undefined && !document.hidden) void this.#read(this.#query);
    }, wait);
  }

  /** @param {PositionQuery} query */
  async #read(query) {
    this.#isReading = true;
    this.#isDue = false;
    const answer = await this.#ask(query).catch(() => undefined);
    const body =
      answer?.status === 200 || answer?.status === 400 ? await answer.json().catch(() => undefined) : undefined;
    if (this.#query !== query) return;
    this.#isReading = false;
    this.#take(answer, body);
    this.#plan();
  }

  /** @param {PositionQuery} query */
  #ask(query) {
    return fetchInTime(this.#url, {
      method: "POST",
      headers: { "content-type": "application/json", ...(this.#etag !== "" && { "if-none-match": this.#etag }) },
      body: JSON.stringify({ SaleUUID: this.#sale, ...query }),
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
  }

  /**
   * @param {Response | undefined} answer
   * @param {any} body its JSON, where it has been read
   */
  #take(answer, body) {
    const status = answer?.status ?? 0;
    if (status === 304) this.#listener.onCurrent();
    else if (status === 200 && body !== undefined) {
      this.#etag = answer?.headers.get("etag") ?? "";
      this.#listener.onPosition(body, this.#query?.PageToken !== undefined);
    } else if (FINAL_STATUSES.includes(status)) {
      this.stop();
      this.#listener.onRefused(body?.details?.violations?.[0]?.rule ?? "");
      return;
    } else {
      this.#retryLater(status, Number(answer?.headers.get("retry-after") ?? 0));
      return;
    }
    this.#refusals = 0;
    this.#notBefore = performance.now() + INTERVAL_MS * (1 + SPREAD * Math.random());
  }

  /**
   * @param {number} status
   * @param {number} seconds that the server asks to wait
   */
  #retryLater(status, seconds) {
    const least = Math.min(Math.max(FIRST_RETRY_MS * 2 ** this.#refusals, 1_000 * seconds), LONGEST_RETRY_MS);
    this.#refusals += 1;
    this.#isDue = true;
    this.#notBefore = performance.now() + least * (1 + Math.random());
    this.#listener.onTrouble(status);
  }
}
