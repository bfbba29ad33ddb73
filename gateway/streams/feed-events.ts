import { FEED_FAULTS } from "../../common/sale/words/feed-fault.ts";
import { SaleStatus } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { FeedObservation } from "../public-read/cache/commitment-cache.ts";
import { behindSecondsOf, faultOf, publicAsOf } from "../public-read/cache/feed-fields.ts";
import type { SaleFieldsCache } from "../public-read/cache/sale-fields.ts";
import { type FeedEventName, uncompressedEventChunk } from "./stream-chunks.ts";

/** The content of an event, without the time that passes. */
interface FeedContent {
  readonly state: FeedObservation["state"];
  readonly behindSeconds: number;
  readonly fault: string;
  readonly sale: FeedObservation["sale"];
}

/**
 * The events that say how current a sale's figures are, whether it is over, and what it is. Each is made once for all readers
 * who get the same.
 */
export class FeedEvents {
  readonly #saleUuid: string;
  readonly #unreachableAfterMs: number;
  readonly #fields: SaleFieldsCache;
  /** The facts about the sale, as JSON without braces; undefined while they aren't known. */
  #saleJson: string | undefined;
  #observation: FeedObservation | undefined;
  /** The times of the latest observation, of an early one, too. */
  #answered: Pick<FeedObservation, "knownAt" | "confirmedAt"> | undefined;
  #fault: string | undefined;
  #isSettled = false;
  #last: FeedContent | undefined;
  readonly #chunks = new Map<FeedEventName, Buffer>();

  /** @param unreachableAfterMs time without an answer after which the commitments service counts as unreachable */
  constructor(saleUuid: string, unreachableAfterMs: number, fields: SaleFieldsCache) {
    this.#fields = fields;
    this.#saleUuid = saleUuid;
    this.#unreachableAfterMs = unreachableAfterMs;
  }

  /**
   * Takes the latest observation; undefined leaves the one before, which ages.
   *
   * @param isEarly whether it is of a body that readers haven't been sent yet: then it shows only that the commitments service answers
   * @returns the events that readers must get: `state` where the figures have begun to stand still, or no longer do, or the
   * reason is another one, or the sale has been settled or opened again; `sale` where it is another one in what blocks don't change
   */
  observe(observation: FeedObservation | undefined, now: number, isEarly = false): readonly FeedEventName[] {
    if (!isEarly) this.#observation = observation ?? this.#observation;
    this.#answered = observation ?? this.#answered;
    const { state, sale } = this.#observation ?? { state: undefined, sale: undefined };
    const fault = faultOf(this.#answered && { ...this.#answered, state, sale }, now, this.#unreachableAfterMs);
    const isSettled = this.#observation?.sale?.status === SaleStatus.SETTLED;
    const isOther = fault !== this.#fault || isSettled !== this.#isSettled;
    this.#fault = fault;
    this.#isSettled = isSettled;
    return [...(isOther ? (["state"] as const) : []), ...(this.#observeSale() ? (["sale"] as const) : [])];
  }

  /** The block that the figures are of, as a text that is another one for another block; empty where it isn't known. */
  get block(): string {
    const position = this.#observation?.state?.asOf?.position;
    return position === undefined ? "" : `${position.height} ${Buffer.from(position.hash).toString("hex")}`;
  }

  /** Returns the event that says what the sale is; undefined while that isn't known. */
  saleChunk(): Buffer | undefined {
    const cached = this.#chunks.get("sale");
    if (cached !== undefined || this.#saleJson === undefined) return cached;
    const chunk = uncompressedEventChunk("sale", `{${this.#saleJson}}`);
    this.#chunks.set("sale", chunk);
    return chunk;
  }

  /** Returns an event as of the last observation. */
  chunk(event: "state" | "heartbeat", now: number): Buffer {
    const content = this.#content(now);
    if (!isSame(content, this.#last)) for (const name of ["state", "heartbeat"] as const) this.#chunks.delete(name);
    this.#last = content;
    const chunk = this.#chunks.get(event) ?? uncompressedEventChunk(event, jsonOf(content));
    this.#chunks.set(event, chunk);
    return chunk;
  }

  /** @returns whether the sale is another one in what blocks don't change */
  #observeSale(): boolean {
    const json = this.#saleFields() ?? this.#saleJson;
    if (json === this.#saleJson) return false;
    this.#saleJson = json;
    this.#chunks.delete("sale");
    return true;
  }

  /** Returns undefined where they aren't known, or the commitments service breaks its contract: the public read reports that. */
  #saleFields(): string | undefined {
    try {
      return this.#observation && this.#fields.of(this.#saleUuid, this.#observation)?.json;
    } catch {
      return undefined;
    }
  }

  #content(now: number): FeedContent {
    const { state, knownAt, sale } = this.#observation ?? { state: undefined, knownAt: now, sale: undefined };
    const behindSeconds = behindSecondsOf({ state, knownAt }, now);
    return { state, behindSeconds, fault: this.#fault ?? FEED_FAULTS.unreachable, sale };
  }
}

function isSame(one: FeedContent, other: FeedContent | undefined): boolean {
  const isSameState = one.state === other?.state && one.sale === other?.sale;
  return isSameState && one.behindSeconds === other?.behindSeconds && one.fault === other.fault;
}

function jsonOf({ state, behindSeconds, fault, sale }: FeedContent): string {
  return JSON.stringify({
    AsOf: publicAsOf(state?.asOf) ?? null,
    BehindSeconds: behindSeconds,
    Fault: fault,
    Settled: sale?.status === SaleStatus.SETTLED,
    PaymentSymbol: sale?.paymentSymbol ?? "",
  });
}
