import type { Client } from "@connectrpc/connect";
import type { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { HeldAnswers, type HeldAnswersOptions } from "./held-answers.ts";

/** The calls of the entities service that the public read makes. */
export type SignerClient = Pick<Client<typeof PermitService>, "getSigner">;

/** Time after which a signer is asked for again. It changes seldom, and the one before is valid for ten minutes more. */
const FRESH_MS = 10_000;
/** Time for which a reader waits for a signer that isn't known yet, or not of late. The rest of the answer doesn't depend on it. */
const WAIT_MS = 250;

export interface SaleSignersOptions
  extends Pick<HeldAnswersOptions<unknown>, "maxSales" | "maxLoads" | "now" | "logger"> {
  /** Absent where nobody takes part through this gateway: no sale has a signer then. */
  readonly client?: SignerClient | undefined;
  /** Deadline of a call, in milliseconds. */
  readonly timeoutMs: number;
  /** How long `ready` waits, in milliseconds: 250 by default. */
  readonly waitMs?: number;
}

/** The addresses that sign purchase permits of sales now, as the entities service has them. */
export class SaleSigners {
  /** Empty addresses for none. */
  readonly #held?: HeldAnswers<string>;
  readonly #waitMs: number;

  constructor({ client, timeoutMs, waitMs = WAIT_MS, ...bounds }: SaleSignersOptions) {
    this.#waitMs = waitMs;
    if (client === undefined) return;
    const ask = async (saleUuid: string) => {
      const { address } = await client.getSigner({ saleUuid }, { timeoutMs });
      // Hexadecimal addresses are lower case in all public answers.
      return address.startsWith("0x") ? address.toLowerCase() : address;
    };
    this.#held = new HeldAnswers({ ...bounds, ask, name: "the signer of a sale", freshMs: FRESH_MS });
  }

  /**
   * Returns the signer of a sale, empty for none; asks again in the background when that is due.
   *
   * @returns undefined where it isn't known yet
   */
  get(saleUuid: string): string | undefined {
    if (this.#held === undefined) return "";
    const held = this.#held.get(saleUuid);
    return held && (held.answer ?? "");
  }

  /**
   * Waits until a sale's signer is known, and after a time without readers for the present one, but not for long. Never fails: while
   * the entities service fails or is slow, or too much is asked of it, the sale has the one before, or none.
   */
  async ready(saleUuid: string): Promise<void> {
    await this.#held?.ready(saleUuid, this.#waitMs);
  }
}
