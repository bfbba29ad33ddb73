import type { SaleSummary, SourceChain } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { FeedObservation } from "./commitment-cache.ts";
import { saleFields } from "./sale-json.ts";
import type { SaleSigners } from "./sale-signers.ts";

/** The fields of a sale that don't change with every block. */
export interface SaleFields {
  readonly chain: SourceChain | undefined;
  readonly signer: string;
  /** The fields as JSON, without braces. */
  readonly json: string;
}

export interface SaleFieldsOptions {
  readonly signers: Pick<SaleSigners, "get" | "ready">;
  /** Origin of the addresses of logos; empty for addresses relative to the gateway's own. */
  readonly origin: string;
}

/** Makes the fields of sales once for each state of a sale. */
export class SaleFieldsCache {
  /** By the summary that a held sale has, so that they are forgotten with it. */
  readonly #fields = new WeakMap<SaleSummary, SaleFields>();
  readonly #options: SaleFieldsOptions;

  constructor(options: SaleFieldsOptions) {
    this.#options = options;
  }

  /** Waits until all that the fields of a sale need beside its summary is known. Never fails. */
  ready(saleUuid: string): Promise<void> {
    return this.#options.signers.ready(saleUuid);
  }

  /**
   * Returns the fields of a sale: the same object as long as they are the same.
   *
   * @returns undefined where the commitments service is of an older version, and until the sale's signer is known
   * @throws as `saleFields`
   */
  of(saleUuid: string, { sale: summary, state }: Pick<FeedObservation, "sale" | "state">): SaleFields | undefined {
    // Every sale has a payment token.
    if (summary === undefined || summary.paymentTokens.length === 0) return undefined;
    const chain = state?.chain;
    const { signers, origin } = this.#options;
    const signer = signers.get(saleUuid);
    if (signer === undefined) return undefined;
    const last = this.#fields.get(summary);
    if (last !== undefined && last.signer === signer && isSameChain(last.chain, chain)) return last;
    const fields = { chain, signer, json: saleFields({ saleUuid, summary, chain, signer, origin }) };
    this.#fields.set(summary, fields);
    return fields;
  }
}

function isSameChain(one: SourceChain | undefined, other: SourceChain | undefined): boolean {
  return one?.chainId === other?.chainId && one?.contractUrl === other?.contractUrl;
}
