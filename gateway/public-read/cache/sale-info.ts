import { digestEtag, PublicDocument } from "../../web/http/public-document.ts";
import type { FeedObservation } from "./commitment-cache.ts";
import { behindSecondsOf, faultOf, publicAsOf } from "./feed-fields.ts";
import type { SaleFields, SaleFieldsCache } from "./sale-fields.ts";

/**
 * Not stored: `AsOf` and `BehindSeconds` change without the entity tag, and an answer from a store would present those of
 * another time as current.
 */
const CACHE_CONTROL = "no-store";

/** A finished document, with what it was made of. */
interface BuiltDocument {
  readonly fault: string;
  readonly state: FeedObservation["state"];
  readonly behindSeconds: number;
  readonly document: PublicDocument;
}

/** The documents that say what sales are. Each is made once for all readers who get the same. */
export class SaleInfo {
  readonly #unreachableAfterMs: number;
  readonly #fields: SaleFieldsCache;
  readonly #built = new WeakMap<SaleFields, BuiltDocument>();

  /** @param unreachableAfterMs see `faultOf` */
  constructor(unreachableAfterMs: number, fields: SaleFieldsCache) {
    this.#fields = fields;
    this.#unreachableAfterMs = unreachableAfterMs;
  }

  /**
   * Returns the document of a sale at a time. Its entity tag depends on all its fields but `AsOf` and `BehindSeconds`.
   *
   * @returns undefined where the commitments service is of an older version, and until the sale's signer is known
   * @throws as `saleFields`
   */
  document(saleUuid: string, observation: FeedObservation, now: number): PublicDocument | undefined {
    const fields = this.#fields.of(saleUuid, observation);
    if (fields === undefined) return undefined;
    const { state } = observation;
    const fault = faultOf(observation, now, this.#unreachableAfterMs);
    const behindSeconds = behindSecondsOf(observation, now);
    const last = this.#built.get(fields);
    const isTagged = last?.fault === fault;
    if (isTagged && last.state === state && last.behindSeconds === behindSeconds) return last.document;
    const tagged = `${fields.json},"Fault":${JSON.stringify(fault)}`;
    const etag = isTagged ? last.document.etag : digestEtag(Buffer.from(tagged));
    const current = JSON.stringify({ AsOf: publicAsOf(state?.asOf), BehindSeconds: behindSeconds }).slice(1, -1);
    const document = new PublicDocument(etag, Buffer.from(`{${tagged},${current}}`), CACHE_CONTROL);
    this.#built.set(fields, { fault, state, behindSeconds, document });
    return document;
  }
}
