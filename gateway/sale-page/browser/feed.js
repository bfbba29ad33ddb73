// @ts-check
// Follows a sale's stream of server-sent events (docs/public-read.md#live).

import { isOlder, withDifference } from "./client.js";
import { fetchInTime } from "./deadline.js";
import { reportedLiveness } from "./liveness.js";

const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 60_000;
/** Silence after which a stream counts as lost. Its server sends a heartbeat every 10 seconds. */
const SILENCE_MS = 30_000;
/** Answers that another try wouldn't change: the sale's ID isn't one, or there is no such sale. */
const FINAL_STATUSES = [400, 404];

/**
 * @typedef {import("../../../client/commitment-data.ts").CommitmentData} Body
 * @typedef {import("../../../client/commitment-data.ts").Commitment} Commitment
 * @typedef {import("../../../client/commitment-data.ts").FeedState} SourceState data of the events `state` and `heartbeat`
 * @typedef {import("../../../client/sale.ts").SaleFacts} SaleFacts
 * @typedef {import("./liveness.js").Liveness} Liveness
 *
 * @typedef {object} FeedListener
 * @property {(body: Body) => void} onBody each state that the sale gets
 * @property {(liveness: Liveness) => void} onLiveness each change of it
 * @property {(state: SourceState) => void} [onHeartbeat] what the figures are of: with a stream's first ones, and while they stay the same
 * @property {(facts: SaleFacts) => void} [onSale] what the sale is, at first and when that changes
 */

/**
 * A sale's public body, kept current until it is closed. Reconnects by itself, at growing intervals. A hidden page has no stream: over
 * HTTP/1.1 a browser opens six connections to a host, and pages that nobody sees would take those of one that somebody opens.
 */
export class Feed {
  /** @type {EventSource | undefined} */
  #source;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence;
  /** Time of the last event, in milliseconds; 0 before the first. */
  #lastEventAt = 0;
  /** Time up to which the figures are known to be current, in milliseconds; 0 before the first event. */
  #currentAt = 0;
  /** @type {Liveness} */
  #liveness = { name: "connecting", since: 0, fault: "" };
  /** @type {SourceState | undefined} */
  #state;
  /** @type {Body | undefined} */
  #body;
  /** ID of the event that brought it, which a new `EventSource` doesn't send to the server. */
  #id = "";
  /** Whether the present stream has brought figures. What it says before that is of figures that aren't shown yet. */
  #hasFigures = false;
  #delay = FIRST_DELAY_MS;
  #url;
  #listener;
  #closed = new AbortController();

  /**
   * @param {string} url of the stream
   * @param {FeedListener} listener
   */
  constructor(url, listener) {
    this.#url = url;
    this.#listener = listener;
    const { signal } = this.#closed;
    // Timers stand still while a machine sleeps.
    document.addEventListener("visibilitychange", () => this.#wake(), { signal });
    for (const name of ["online", "pageshow"]) addEventListener(name, () => this.#wake(), { signal });
    // A browser keeps a page that was left, to come back to, only if it has no connection.
    addEventListener("pagehide", () => this.#rest(), { signal });
    this.#wake();
  }

  close() {
    this.#closed.abort();
    this.#end();
  }

  #connect() {
    this.#end();
    const source = new EventSource(this.#url);
    this.#source = source;
    this.#hasFigures = false;
    this.#awaitEvent();
    source.addEventListener("body", ({ data, lastEventId }) => {
      // A server without updates may begin with an older state than the one shown. That isn't shown.
      if (isOlder(lastEventId, this.#id)) this.#lose();
      else this.#take(JSON.parse(data), lastEventId);
    });
    source.addEventListener("difference", ({ data, lastEventId }) => {
      const difference = JSON.parse(data);
      // A new stream begins with a whole body.
      if (this.#body && difference.AppliesTo === this.#id)
        this.#take(withDifference(this.#body, difference), lastEventId);
      else this.#lose();
    });
    for (const name of ["state", "heartbeat"]) {
      source.addEventListener(name, (event) => {
        /** @type {SourceState} */
        const state = JSON.parse(/** @type {MessageEvent} */ (event).data);
        this.#state = state;
        this.#noteReceived();
        if (this.#hasFigures) this.#listener.onHeartbeat?.(state);
      });
    }
    source.addEventListener("sale", ({ data }) => {
      this.#noteReceived();
      this.#listener.onSale?.(JSON.parse(data));
    });
    source.addEventListener("error", () => this.#hasFailed(source));
  }

  /** Leaves the present stream, and no longer plans another one. */
  #end() {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    this.#retry = undefined;
    this.#source?.close();
    this.#source = undefined;
  }

  /**
   * @param {Body} body
   * @param {string} id
   */
  #take(body, id) {
    this.#body = body;
    this.#id = id;
    if (!this.#hasFigures && this.#state) this.#listener.onHeartbeat?.(this.#state);
    this.#hasFigures = true;
    this.#noteReceived();
    this.#listener.onBody(body);
  }

  /** Takes an event as the sign that the stream is alive. */
  #noteReceived() {
    this.#lastEventAt = Date.now();
    this.#awaitEvent();
    if (!this.#hasFigures) return;
    this.#delay = FIRST_DELAY_MS;
    const { name, since, fault } = reportedLiveness(this.#state, this.#lastEventAt);
    this.#currentAt = since || this.#lastEventAt;
    this.#become(name, since, fault);
  }

  #awaitEvent() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lose(), SILENCE_MS);
  }

  /** Leaves a stream and tries again later. */
  #lose() {
    this.#end();
    this.#hasLost();
    // Readers who were all refused at once reconnect at different times.
    this.#retry = setTimeout(() => this.#connect(), this.#delay * (0.5 + Math.random()));
    this.#delay = Math.min(2 * this.#delay, LONGEST_DELAY_MS);
  }

  /** Figures that stood still already are as old as they were then. Those of a settled sale stay true without a stream. */
  #hasLost() {
    if (this.#liveness.name !== "settled") this.#become("lost", this.#currentAt);
  }

  /** @param {EventSource} source */
  #hasFailed(source) {
    this.#hasLost();
    // The browser reconnects by itself unless the source is closed.
    if (source.readyState === EventSource.CLOSED) void this.#findReason(source);
  }

  /**
   * Asks why a stream was refused, which no `EventSource` says, and gives up where another try would be in vain.
   *
   * @param {EventSource} source
   */
  async #findReason(source) {
    const answer = await fetchInTime(this.#url, { method: "HEAD" }).catch(() => undefined);
    if (this.#source !== source) return;
    if (answer === undefined || !FINAL_STATUSES.includes(answer.status)) this.#lose();
    else {
      this.close();
      this.#become("unknown");
    }
  }

  #wake() {
    if (document.hidden) this.#rest();
    else if (this.#source === undefined) this.#connect();
    else if (this.#lastEventAt > 0 && Date.now() - this.#lastEventAt > SILENCE_MS) this.#lose();
  }

  /** Gives the stream back until the page is shown. Its figures stay, and are no longer said to be live. */
  #rest() {
    this.#end();
    if (this.#liveness.name !== "settled") this.#become("connecting", this.#currentAt);
  }

  /**
   * @param {Liveness["name"]} name
   * @param {number} [since]
   * @param {string} [fault]
   */
  #become(name, since = 0, fault = "") {
    const before = this.#liveness;
    if (before.name === name && before.since === since && before.fault === fault) return;
    this.#liveness = { name, since, fault };
    this.#listener.onLiveness(this.#liveness);
  }
}
