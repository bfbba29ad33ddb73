import { type EventId, formatEventId } from "../public-read/cache/event-id.ts";
import type { Representation } from "../public-read/cache/representation.ts";
import { differenceJson } from "./difference.ts";
import { eventChunk } from "./stream-chunks.ts";

/** Differences kept for readers who reconnect. Together they are no larger than the body, which would serve as well. */
const MAX_RECENT = 64;

/** A difference, and the ID of the state that it applies to. */
interface Step {
  readonly appliesTo: string;
  readonly chunk: Buffer;
}

/** The events of a sale, each made once for all readers. */
export class SaleStream {
  #current: Representation;
  /** Differences in order, without a gap, up to the current state. */
  #recent: Step[] = [];
  #recentBytes = 0;
  #whole: Buffer | undefined;

  constructor(representation: Representation) {
    this.#current = representation;
  }

  /** Length of the body, in bytes. */
  get bodyLength(): number {
    return this.#current.bodyBytes;
  }

  /**
   * Whether a state is later than the current one. Another generation counts as later, and so does a higher
   * correction.
   */
  isBehind({ generation, revision, correction }: EventId): boolean {
    if (generation !== this.#current.generation || revision > this.#current.revision) return true;
    return revision === this.#current.revision && correction > this.#current.correction;
  }

  /** Advances to a later state. @returns the event for every reader who has the state before */
  advance(next: Representation): Buffer {
    const before = this.#current;
    const isNext = next.generation === before.generation && next.revision > before.revision;
    const appliesTo = formatEventId(before);
    const difference = isNext ? differenceJson(appliesTo, before.body, next.body) : undefined;
    this.#current = next;
    this.#whole = undefined;
    if (difference === undefined || difference.length >= next.bodyBytes) {
      this.#recent = [];
      this.#recentBytes = 0;
      return this.#wholeChunk();
    }
    const chunk = eventChunk("difference", formatEventId(next), difference);
    this.#keep({ appliesTo, chunk });
    return chunk;
  }

  /** Returns the chunks that bring a reader to the current state: differences where they suffice, else the body. */
  catchUp(lastEventId: EventId | undefined): readonly Buffer[] {
    return this.#differencesSince(lastEventId) ?? [this.#wholeChunk()];
  }

  #differencesSince(id: EventId | undefined): readonly Buffer[] | undefined {
    if (id === undefined) return undefined;
    const had = formatEventId(id);
    if (had === formatEventId(this.#current)) return [];
    const first = this.#recent.findIndex(({ appliesTo }) => appliesTo === had);
    return first === -1 ? undefined : this.#recent.slice(first).map(({ chunk }) => chunk);
  }

  #wholeChunk(): Buffer {
    this.#whole ??= eventChunk("body", formatEventId(this.#current), this.#current.identity.bytes);
    return this.#whole;
  }

  #keep(step: Step): void {
    this.#recent.push(step);
    this.#recentBytes += step.chunk.length;
    while (this.#recent.length > MAX_RECENT || this.#recentBytes > this.bodyLength) {
      this.#recentBytes -= this.#recent.shift()?.chunk.length ?? 0;
    }
  }
}
