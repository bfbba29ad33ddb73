import { toBinary } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { type PublicRules, PublicRulesSchema } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { HeldAnswers, type HeldAnswersOptions } from "./held-answers.ts";

/** The calls of the entities service that the page of a sale makes. */
export type RulesClient = Pick<Client<typeof EligibilityService>, "getPublicRules">;

/** Time after which rules are asked for again: a founder who shows or changes them sees that soon. */
const FRESH_MS = 10_000;
/** Time for which a reader of the rules' own page waits for them. */
const WAIT_MS = 1_000;
/** Age from which rules say when they were read: several calls have failed since. */
const DATED_AFTER_MS = 60_000;
/** Bytes of all rules that are held: of some 10,000 sales with a few groups, or of 1,000 with the most. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Bytes of a message in memory for each byte on the way: of objects, and of texts of two bytes a character. */
const IN_MEMORY = 4;
const OVERHEAD_BYTES = 512;
/** Age from which rules aren't shown any more: they may have changed, and who takes them back mustn't wait for long. */
const LONGEST_SHOWN_MS = 3_600_000;

export interface SaleRulesOptions
  extends Pick<HeldAnswersOptions<unknown>, "maxSales" | "maxLoads" | "now" | "logger"> {
  /** Absent where nobody takes part through this gateway: no sale has rules then. */
  readonly client?: RulesClient | undefined;
  /** Deadline of a call, in milliseconds. */
  readonly timeoutMs: number;
  /** Returns milliseconds since 1970. */
  readonly wallClock: () => number;
  /** The most bytes of rules that are held: 64 MiB by default. */
  readonly maxBytes?: number;
}

/** The part of a sale's rules that everybody may read. */
export interface ShownRules {
  readonly rules: PublicRules;
  /** When they were read, in milliseconds since 1970, where they couldn't be read again since; absent for current ones. */
  readonly readAt?: number;
}

/** The rules of sales that their founders show to everybody, as the entities service has them. */
export class SaleRules {
  readonly #held?: HeldAnswers<PublicRules | undefined>;
  readonly #options: Pick<SaleRulesOptions, "now" | "wallClock">;

  constructor({ client, timeoutMs, wallClock, maxBytes = MAX_BYTES, ...bounds }: SaleRulesOptions) {
    this.#options = { now: bounds.now, wallClock };
    if (client === undefined) return;
    const ask = async (saleUuid: string) => (await client.getPublicRules({ saleUuid }, { timeoutMs })).rules;
    this.#held = new HeldAnswers<PublicRules | undefined>({
      ...bounds,
      ask,
      name: "the public rules of a sale",
      freshMs: FRESH_MS,
      size: { maxBytes, bytesOf: (rules) => (rules === undefined ? 0 : bytesOfRules(rules)) },
    });
  }

  /** Waits until it is known whether a sale has such rules now, but not for long. Never fails, as `HeldAnswers.current`. */
  async current(saleUuid: string): Promise<void> {
    await this.#held?.current(saleUuid, WAIT_MS);
  }

  /**
   * Returns the rules of a sale as they were last read; asks again in the background when that is due.
   *
   * @returns undefined where they aren't for everybody, or aren't known
   */
  get(saleUuid: string): ShownRules | undefined {
    const { answer: rules, answeredAt = 0 } = this.#held?.get(saleUuid) ?? {};
    const { now, wallClock } = this.#options;
    const ageMs = now() - answeredAt;
    if (rules === undefined || ageMs > LONGEST_SHOWN_MS) return undefined;
    return ageMs > DATED_AFTER_MS ? { rules, readAt: Math.round(wallClock() - ageMs) } : { rules };
  }
}

/** Returns about how many bytes rules take in memory. */
function bytesOfRules(rules: PublicRules): number {
  return OVERHEAD_BYTES + IN_MEMORY * toBinary(PublicRulesSchema, rules).length;
}
