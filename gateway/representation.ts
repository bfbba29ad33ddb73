import type { SaleSummary } from "../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { PublicDocument } from "./public-document.ts";

/** What an entry costs besides its bodies: headers, keys, bookkeeping. An estimate. */
const OVERHEAD_BYTES = 4096;

/** A sale's public body at one revision. */
export class Representation extends PublicDocument {
  readonly generation: bigint;
  readonly revision: bigint;

  /** What a page says besides the body; absent where the commitments service is of an older version. */
  readonly sale: SaleSummary | undefined;

  constructor(generation: bigint, revision: bigint, bytes: Buffer, sale?: SaleSummary) {
    super(`W/"${generation.toString(16).padStart(16, "0")}-${revision}"`, bytes, "no-cache");
    this.generation = generation;
    this.revision = revision;
    this.sale = sale;
  }

  /** Bytes held, counting the gzip form from the start: it is hardly ever larger than the body itself. */
  get byteLength(): number {
    return 2 * this.identity.bytes.length + OVERHEAD_BYTES;
  }
}
