import type { SaleSummary, SourceChain } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { digestEtag, PublicDocument } from "../../web/http/public-document.ts";
import type { FeedObservation } from "./commitment-cache.ts";
import { behindSecondsOf, faultOf, publicAsOf } from "./feed-fields.ts";
import { saleFields } from "./sale-json.ts";

/**
 * Not stored: `AsOf` and `BehindSeconds` change without the entity tag, and an answer from a store would present those of
 * another time as current.
 */
const CACHE_CONTROL = "no-store";

/** The fields of a sale that don't change with every block. */
export interface SaleFields {
  readonly chain: SourceChain | undefined;
  readonly json: string;
}

/** A finished document, with what it was made of. */
interface Made {
  readonly fields: SaleFields;
  readonly fault: string;
  readonly state: FeedObservation["state"];
  readonly behindSeconds: number;
  readonly document: PublicDocument;
}

/** The documents that say what sales are. Each is made once for all readers who get the same. */
export class SaleInfo {
  readonly #unreachableAfterMs: number;
  /** By the summary that a held sale has, so that they are forgotten with it. */
  readonly #fields = new WeakMap<SaleSummary, SaleFields>();
  readonly #made = new WeakMap<SaleSummary, Made>();

  /** @param unreachableAfterMs see `faultOf` */
  constructor(unreachableAfterMs: number) {
    this.#unreachableAfterMs = unreachableAfterMs;
  }

  /**
   * Returns the document of a sale at a time. Its entity tag depends on all its fields but `AsOf` and `BehindSeconds`.
   *
   * @returns undefined where the commitments service is of an older version
   * @throws as `saleFields`
   */
  document(saleUuid: string, observation: FeedObservation, now: number): PublicDocument | undefined {
    const { sale: summary, state } = observation;
    // Every sale has a payment token.
    if (summary === undefined || summary.paymentTokens.length === 0) return undefined;
    const fields = this.fields(saleUuid, summary, state?.chain);
    const fault = faultOf(observation, now, this.#unreachableAfterMs);
    const behindSeconds = behindSecondsOf(observation, now);
    const last = this.#made.get(summary);
    const isTagged = last !== undefined && last.fields === fields && last.fault === fault;
    if (isTagged && last.state === state && last.behindSeconds === behindSeconds) return last.document;
    const tagged = `${fields.json},"Fault":${JSON.stringify(fault)}`;
    const etag = isTagged ? last.document.etag : digestEtag(Buffer.from(tagged));
    const current = JSON.stringify({ AsOf: publicAsOf(state?.asOf), BehindSeconds: behindSeconds }).slice(1, -1);
    const document = new PublicDocument(etag, Buffer.from(`{${tagged},${current}}`), CACHE_CONTROL);
    this.#made.set(summary, { fields, fault, state, behindSeconds, document });
    return document;
  }

  /** Returns the fields of a sale that don't change with every block: the same object as long as they are the same. */
  fields(saleUuid: string, summary: SaleSummary, chain: SourceChain | undefined): SaleFields {
    const last = this.#fields.get(summary);
    if (last !== undefined && isSameChain(last.chain, chain)) return last;
    const fields = { chain, json: saleFields({ saleUuid, summary, chain }) };
    this.#fields.set(summary, fields);
    return fields;
  }
}

function isSameChain(one: SourceChain | undefined, other: SourceChain | undefined): boolean {
  return one?.chainId === other?.chainId && one?.contractUrl === other?.contractUrl;
}
