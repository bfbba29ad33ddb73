import type { SaleSummary } from "../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { PublicBody } from "./public-body.ts";
import { PublicDocument } from "./public-document.ts";

/** What an entry costs besides its bodies: headers, keys, a list of 100, bookkeeping. An estimate. */
const OVERHEAD_BYTES = 16_384;

/** A sale's public body at one revision. */
export class Representation extends PublicDocument {
  readonly generation: bigint;
  readonly revision: bigint;

  /** What a page says besides the body; absent where the commitments service is of an older version. */
  readonly sale: SaleSummary | undefined;

  readonly body: PublicBody;

  constructor(generation: bigint, revision: bigint, body: PublicBody, sale?: SaleSummary) {
    super(`W/"${generation.toString(16).padStart(16, "0")}-${revision}"`, () => body.bytes(), "no-cache");
    this.generation = generation;
    this.revision = revision;
    this.body = body;
    this.sale = sale;
  }

  /**
   * Bytes held, at most: the texts that the body is made of, and from the start the body itself and its gzip form, which is
   * hardly ever larger.
   */
  get byteLength(): number {
    return 3 * this.body.byteLength + OVERHEAD_BYTES;
  }
}
