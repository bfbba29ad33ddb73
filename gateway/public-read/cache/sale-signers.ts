import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type { Logger } from "../../../common/platform/log/log.ts";
import type { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { ownText } from "../../web/http/own-text.ts";

/** The calls of the entities service that the public read makes. */
export type SignerClient = Pick<Client<typeof PermitService>, "getSigner">;

/** Time after which a signer is asked for again. It changes seldom, and the one before is valid for ten minutes more. */
const FRESH_MS = 10_000;
/** Time for which a reader waits for a signer that isn't known yet. The rest of the answer doesn't depend on it. */
const WAIT_MS = 250;

export interface SaleSignersOptions {
  /** Absent where nobody takes part through this gateway: no sale has a signer then. */
  readonly client?: SignerClient | undefined;
  /** Deadline of a call, in milliseconds. */
  readonly timeoutMs: number;
  /** Sales whose signers are held. */
  readonly maxSales: number;
  /** Calls at once. */
  readonly maxLoads: number;
  /** How long `ready` waits, in milliseconds: 250 by default. */
  readonly waitMs?: number;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
}

interface Held {
  /** Empty for none. */
  readonly address: string;
  readonly loadedAt: number;
}

/** The addresses that sign purchase permits of sales now, as the entities service has them. */
export class SaleSigners {
  readonly #options: SaleSignersOptions;
  readonly #held: LRUCache<string, Held>;
  readonly #loads = new Map<string, Promise<void>>();

  constructor(options: SaleSignersOptions) {
    this.#options = options;
    this.#held = new LRUCache({ max: options.maxSales });
  }

  /**
   * Returns the signer of a sale, empty for none; asks again in the background when that is due.
   *
   * @returns undefined where it isn't known yet
   */
  get(saleUuid: string): string | undefined {
    const { client, now } = this.#options;
    if (client === undefined) return "";
    const held = this.#held.get(saleUuid);
    if (held === undefined || now() - held.loadedAt > FRESH_MS) void this.#refresh(client, saleUuid, held);
    return held?.address;
  }

  /**
   * Waits until a sale's signer is known, but not for long. Never fails: while the entities service fails or is slow, or too
   * much is asked of it, the sale has none.
   */
  async ready(saleUuid: string): Promise<void> {
    const { client, now, waitMs = WAIT_MS } = this.#options;
    if (client === undefined || this.#held.has(saleUuid)) return;
    const waiting = new AbortController();
    const waited = delay(waitMs, undefined, { signal: waiting.signal }).catch(() => {});
    await Promise.race([this.#refresh(client, saleUuid, undefined), waited]);
    waiting.abort();
    // As if it had been loaded long ago: the next reader asks again, and a load under way replaces it.
    const none = { address: "", loadedAt: now() - FRESH_MS - 1 };
    if (!this.#held.has(saleUuid)) this.#held.set(ownText(saleUuid), none);
  }

  #refresh(client: SignerClient, saleUuid: string, before: Held | undefined): Promise<void> {
    const running = this.#loads.get(saleUuid);
    if (running !== undefined || this.#loads.size >= this.#options.maxLoads) return running ?? Promise.resolve();
    const own = ownText(saleUuid);
    const load = this.#load(client, own, before).finally(() => this.#loads.delete(own));
    this.#loads.set(own, load);
    return load;
  }

  async #load(client: SignerClient, saleUuid: string, before: Held | undefined): Promise<void> {
    const { timeoutMs, now, logger } = this.#options;
    const loadedAt = now();
    try {
      const { address } = await client.getSigner({ saleUuid }, { timeoutMs });
      // Addresses of EVM chains are lower case in all public answers.
      this.#held.set(saleUuid, { address: address.startsWith("0x") ? address.toLowerCase() : address, loadedAt });
    } catch (error) {
      logger.debug({ err: error, saleUuid }, "the signer of a sale can't be read");
      this.#held.set(saleUuid, { address: before?.address ?? "", loadedAt });
    }
  }
}
