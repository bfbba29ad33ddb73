import {
  type Commitment,
  type Entity,
  follow,
  type Limits,
  type Position,
  type PurchaseCheck,
  type PurchaseRequest,
  readPosition,
  type Server,
  type SignedPermit,
  UserCalls,
} from "../../../client/index.ts";
import { type RecordCall, tracedFetch } from "./traced-fetch.ts";

/** How long a bid is waited for in the sale's figures, in milliseconds. */
const ARRIVAL_TIMEOUT_MS = 10_000;

export interface SaleCallsOptions {
  readonly server: Server;
  readonly saleUuid: string;
}

/** Whom a call is for, and what records it. */
export interface UserCall {
  readonly accessToken: string;
  readonly record: RecordCall;
}

/** The calls about a sale that the application makes, each recorded. All throw `TidemarkError`. */
export class SaleCalls {
  readonly saleUuid: string;
  readonly #server: Server;

  constructor({ server, saleUuid }: SaleCallsOptions) {
    this.#server = server;
    this.saleUuid = saleUuid;
  }

  async entities(call: UserCall): Promise<readonly Entity[]> {
    return (await this.#user(call).listAvailableEntities(this.saleUuid)).Entities;
  }

  check(purchase: Omit<PurchaseRequest, "SaleUUID">, call: UserCall): Promise<PurchaseCheck> {
    return this.#user(call).prePurchaseCheck({ SaleUUID: this.saleUuid, ...purchase });
  }

  permit(purchase: Omit<PurchaseRequest, "SaleUUID">, call: UserCall): Promise<SignedPermit> {
    return this.#user(call).generatePurchasePermit({ SaleUUID: this.saleUuid, ...purchase });
  }

  limits(wallet: string, call: UserCall): Promise<Limits> {
    return this.#user(call).limits({ SaleUUID: this.saleUuid, WalletAddress: wallet });
  }

  /** Returns what a wallet has committed, which is public: its first page. */
  position(wallet: string, record: RecordCall): Promise<Position> {
    const server = { ...this.#server, fetch: tracedFetch(record) };
    return readPosition(server, { SaleUUID: this.saleUuid, Wallet: wallet });
  }

  /**
   * Follows the sale's figures until a wallet's commitment is as wanted.
   *
   * @returns the time that it took, in milliseconds
   * @throws Error if it isn't there within 10 seconds
   */
  async untilPublic(
    wallet: string,
    isWanted: (commitment: Commitment) => boolean,
    record: RecordCall,
  ): Promise<number> {
    const begin = performance.now();
    const arrived = new AbortController();
    let row: Commitment | undefined;
    await follow(this.#server, this.saleUuid, {
      signal: AbortSignal.any([arrived.signal, AbortSignal.timeout(ARRIVAL_TIMEOUT_MS)]),
      onData: ({ data }) => {
        row = data.Commitments.find((commitment) => isOf(wallet, commitment) && isWanted(commitment));
        if (row !== undefined) arrived.abort();
      },
    });
    if (row === undefined) throw new Error("it isn’t among the latest commitments yet");
    const request = `GET ${new URL(`sales/${this.saleUuid}/commitment-data/stream`, this.#publicUrl)}`;
    record({ request: `${request}\naccept: text/event-stream`, answer: JSON.stringify(row, null, 2) });
    return performance.now() - begin;
  }

  get #publicUrl(): URL {
    return new URL(`/${this.#server.prefix ?? "svc"}/v1/public/`, this.#server.url);
  }

  #user({ accessToken, record }: UserCall): UserCalls {
    return new UserCalls({ ...this.#server, fetch: tracedFetch(record) }, accessToken);
  }
}

function isOf(wallet: string, { Amounts }: Commitment): boolean {
  return Amounts.some(({ Wallet }) => Wallet === wallet.toLowerCase());
}
