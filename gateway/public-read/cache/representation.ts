import type { SaleSummary } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { PublicDocument } from "../../web/http/public-document.ts";
import { formatEventId } from "./event-id.ts";
import type { PublicBody } from "./public-body.ts";

/** What an entry costs besides its bodies: headers, keys, a list of 100, bookkeeping. An estimate. */
const OVERHEAD_BYTES = 16_384;

/** A sale's public body at one revision. */
export class Representation extends PublicDocument {
  readonly generation: bigint;
  readonly revision: bigint;

  /** What a page says besides the body; absent where the commitments service is of an older version. */
  readonly sale: SaleSummary | undefined;

  readonly body: PublicBody;

  /** Tells bodies of one revision apart: how often what the bus had told of it turned out wrong. */
  readonly correction: number;

  constructor(generation: bigint, revision: bigint, body: PublicBody, sale?: SaleSummary, correction = 0) {
    const corrected = correction === 0 ? "" : `-${correction}`;
    super(`W/"${formatEventId({ generation, revision })}${corrected}"`, () => body.bytes(), "no-cache");
    this.correction = correction;
    this.generation = generation;
    this.revision = revision;
    this.body = body;
    this.sale = sale;
  }

  /** This one, as what follows on another: with a correction of its own where that was of the same revision, and another body. */
  after(before: Representation): Representation {
    const { generation, revision, body, sale } = this;
    if (before.generation !== generation || before.revision !== revision) return this;
    const correction = before.correction + (body.equals(before.body) ? 0 : 1);
    return correction === this.correction ? this : new Representation(generation, revision, body, sale, correction);
  }

  /**
   * Bytes held, at most: the texts that the body is made of, and from the start the body itself and its gzip form, which is
   * hardly ever larger.
   */
  get byteLength(): number {
    return 3 * this.body.byteLength + OVERHEAD_BYTES;
  }
}
