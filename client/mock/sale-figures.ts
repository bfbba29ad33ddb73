import type { MockDocument } from "./document.ts";
import type { JsonObject } from "./json.ts";
import type { States } from "./states.ts";
import { hexOf, timeOf } from "./text.ts";

/** Seconds since the contract was last read, where the figures stand still. */
const STILL_SECONDS = 120;

/** The figures of every sale, which grow by a commitment at each tick. */
export class SaleFigures {
  readonly #document: MockDocument;
  readonly #now: () => number;
  /** Most commitments in a list. */
  readonly #listLimit: number;
  /** When the mock was started, in milliseconds since 1970. */
  readonly start: number;
  readonly #generation: string;
  #revision = 0;
  #count = 1;

  /** @param now milliseconds since 1970 */
  constructor(document: MockDocument, now: () => number) {
    this.#document = document;
    this.#now = now;
    this.#listLimit = document.maxItems("CommitmentData", "Commitments");
    this.start = now();
    const bytes = crypto.getRandomValues(new Uint8Array(8));
    this.#generation = hexOf(bytes);
  }

  /** The ID of this state, as of events and in tags. */
  get id(): string {
    return `${this.#generation}-${this.#revision}`;
  }

  /** How many commitments there are. */
  get count(): number {
    return this.#count;
  }

  /** Adds a commitment. */
  grow(): void {
    this.#count += 1;
    this.#revision += 1;
  }

  /** Gives the figures another ID, as other states were chosen. */
  change(): void {
    this.#revision += 1;
  }

  /** Returns `CommitmentData`. */
  body(states: States): JsonObject {
    const { Commitments: _, ...totals } = this.#example(states);
    const count = states.get("commitments") === "none" ? 0 : this.#count;
    const numbers = Array.from({ length: Math.min(count, this.#listLimit) }, (_, index) => count - 1 - index);
    return {
      Commitments: numbers.map((number) => this.#commitment(states, number)),
      ...totals,
      ...this.#sums(states, count),
    };
  }

  /** Returns the difference that the last commitment makes. @param appliesTo ID of the event before it */
  difference(states: States, appliesTo: string): JsonObject {
    const { Commitments: _, ...totals } = this.body(states);
    const pushedOut = this.#count - 1 - this.#listLimit;
    const Removed = pushedOut < 0 ? [] : [this.#id(states, pushedOut)];
    const Upserted = [{ Index: 0, Commitment: this.#commitment(states, this.#count - 1) }];
    return { AppliesTo: appliesTo, Removed, Upserted, Totals: totals };
  }

  /** Returns how current the figures are, without `Settled` and `PaymentSymbol`. */
  current(states: States): { readonly AsOf: JsonObject; readonly BehindSeconds: number; readonly Fault: string } {
    const isStill = states.get("feed") === "standing-still";
    const { AsOf, Fault } = this.#document.named("read-sale").example(200, isStill ? "standingStill" : "auction") as {
      readonly AsOf: JsonObject;
      readonly Fault: string;
    };
    const BehindSeconds = isStill ? STILL_SECONDS : 0;
    const LastSuccess = Math.floor(this.#now() / 1_000) - BehindSeconds;
    const Block = String(BigInt(String(AsOf["Block"])) + BigInt(this.#revision));
    return { AsOf: { ...AsOf, Block, BlockTime: LastSuccess, LastSuccess }, BehindSeconds, Fault };
  }

  #sums(states: States, count: number): JsonObject {
    const [{ Amounts } = { Amounts: [] }] = this.#commitments(states);
    const amount = Amounts.reduce((sum, { Amount }) => sum + BigInt(Amount), 0n);
    return { TotalCommitmentAmount: String(amount * BigInt(count)), UniqueCommitmentCount: count };
  }

  #example(states: States): JsonObject {
    const name = states.get("Pricing") === "fixed" ? "fixedPrice" : "auction";
    return this.#document.named("read-commitment-data").example(200, name) as JsonObject;
  }

  #commitments(states: States): readonly ExampleCommitment[] {
    return this.#example(states)["Commitments"] as unknown as readonly ExampleCommitment[];
  }

  /** Returns the commitment of a number: the first is the example, the others have IDs of their own. */
  #commitment(states: States, number: number): JsonObject {
    const [example] = this.#commitments(states);
    const CreatedAt = timeOf(this.start + number * 1_000);
    return { ...(example as unknown as JsonObject), CommitmentID: this.#id(states, number), CreatedAt };
  }

  #id(states: States, number: number): string {
    const [example] = this.#commitments(states);
    return number === 0 ? (example?.CommitmentID ?? "") : `0x${number.toString(16).padStart(64, "0")}`;
  }
}

interface ExampleCommitment {
  readonly CommitmentID: string;
  readonly Amounts: readonly { readonly Amount: string }[];
}
