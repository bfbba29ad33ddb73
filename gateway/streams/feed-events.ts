import { SaleStatus } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { FeedObservation } from "../public-read/cache/commitment-cache.ts";
import { behindSecondsOf, faultOf, publicAsOf, UNREACHABLE } from "../public-read/cache/feed-fields.ts";
import { type FeedEventName, plainEventChunk } from "./stream-chunks.ts";

/** The content of an event, without the time that passes. */
interface FeedContent {
  readonly state: FeedObservation["state"];
  readonly behindSeconds: number;
  readonly fault: string;
  readonly sale: FeedObservation["sale"];
}

/** The events that say how current a sale's figures are, and whether it is over. Each is made once for all readers who get the same. */
export class FeedEvents {
  readonly #unreachableAfterMs: number;
  #observation: FeedObservation | undefined;
  #fault: string | undefined;
  #isSettled = false;
  #last: FeedContent | undefined;
  readonly #chunks = new Map<FeedEventName, Buffer>();

  /** @param unreachableAfterMs time without an answer after which the commitments service counts as unreachable */
  constructor(unreachableAfterMs: number) {
    this.#unreachableAfterMs = unreachableAfterMs;
  }

  /**
   * Takes the latest observation; undefined leaves the one before, which ages.
   *
   * @returns whether the figures have begun to stand still, or no longer do, or the reason is another one, or the sale has been
   * settled or opened again
   */
  observe(observation: FeedObservation | undefined, now: number): boolean {
    this.#observation = observation ?? this.#observation;
    const fault = faultOf(this.#observation, now, this.#unreachableAfterMs);
    const isSettled = this.#observation?.sale?.status === SaleStatus.SETTLED;
    const isOther = fault !== this.#fault || isSettled !== this.#isSettled;
    this.#fault = fault;
    this.#isSettled = isSettled;
    return isOther;
  }

  /** Returns an event as of the last observation. */
  chunk(event: FeedEventName, now: number): Buffer {
    const content = this.#content(now);
    if (!isSame(content, this.#last)) this.#chunks.clear();
    this.#last = content;
    const made = this.#chunks.get(event) ?? plainEventChunk(event, jsonOf(content));
    this.#chunks.set(event, made);
    return made;
  }

  #content(now: number): FeedContent {
    const { state, knownAt, sale } = this.#observation ?? { state: undefined, knownAt: now, sale: undefined };
    const behindSeconds = behindSecondsOf({ state, knownAt }, now);
    return { state, behindSeconds, fault: this.#fault ?? UNREACHABLE, sale };
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
