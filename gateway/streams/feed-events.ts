import { type Duration, durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { type AsOf, FeedFault, SaleStatus } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { FeedObservation } from "../public-read/cache/commitment-cache.ts";
import { hex } from "../public-read/cache/public-body.ts";
import { type FeedEventName, plainEventChunk } from "./stream-chunks.ts";

/** The reasons why figures stand still, in words for visitors of a page. */
const WORDS: Readonly<Record<FeedFault, string>> = {
  [FeedFault.UNSPECIFIED]: "",
  [FeedFault.UNREADABLE]: "The sale's contract can't be read at the moment.",
  [FeedFault.LATE]: "Reading the sale's contract takes longer than usual.",
  [FeedFault.NO_INDEXER]: "The sale's contract isn't being read at the moment.",
};
const UNREACHABLE = "The sale's figures can't be brought up to date at the moment.";

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
    const behindSeconds = state?.final ? 0 : Math.floor((millisOf(state?.behind) + now - knownAt) / 1_000);
    return { state, behindSeconds, fault: this.#fault ?? UNREACHABLE, sale };
  }
}

function faultOf(observation: FeedObservation | undefined, now: number, unreachableAfterMs: number): string {
  if (observation === undefined) return UNREACHABLE;
  const { state, knownAt, confirmedAt } = observation;
  if (state?.final) return "";
  if (now - Math.min(knownAt, confirmedAt) > unreachableAfterMs) return UNREACHABLE;
  // A commitments service of a later version may have reasons that this gateway has no words for.
  return WORDS[state?.fault ?? FeedFault.UNSPECIFIED] ?? WORDS[FeedFault.UNREADABLE];
}

function isSame(one: FeedContent, other: FeedContent | undefined): boolean {
  const isSameState = one.state === other?.state && one.sale === other?.sale;
  return isSameState && one.behindSeconds === other?.behindSeconds && one.fault === other.fault;
}

function jsonOf({ state, behindSeconds, fault, sale }: FeedContent): string {
  return JSON.stringify({
    AsOf: publicAsOf(state?.asOf),
    BehindSeconds: behindSeconds,
    Fault: fault,
    Settled: sale?.status === SaleStatus.SETTLED,
    PaymentSymbol: sale?.paymentSymbol ?? "",
  });
}

function publicAsOf(asOf: AsOf | undefined) {
  if (asOf?.position === undefined || asOf.lastSuccess === undefined) return null;
  const { position, blockTime, lastSuccess } = asOf;
  return {
    Block: position.height.toString(),
    // JSON.stringify leaves out undefined fields.
    BlockHash: position.hash.length === 0 ? undefined : hex(position.hash),
    BlockTime: blockTime === undefined ? undefined : wholeSeconds(timestampMs(blockTime)),
    LastSuccess: wholeSeconds(timestampMs(lastSuccess)),
  };
}

function millisOf(duration: Duration | undefined): number {
  return duration === undefined ? 0 : durationMs(duration);
}

function wholeSeconds(millis: number): number {
  return Math.floor(millis / 1_000);
}
