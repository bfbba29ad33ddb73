import type { SaleSummary } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { JSON_MEDIA_TYPE, PublicDocument } from "../../web/http/public-document.ts";
import { changedBlockHeaders } from "../../web/http/public-headers.ts";
import { formatEventId } from "./event-id.ts";
import { type BodyLayout, bodyOfLayout, layoutOf, type PublicBody } from "./public-body.ts";

/** Estimated memory of an entry besides its bodies: headers, keys, a list of 100, bookkeeping. */
const OVERHEAD_BYTES = 16_384;

/** Copies of a sale's texts in memory: in its summary, and in the document that is made of it, as text, bytes and gzip. */
const SUMMARY_COPIES = 4;
const PAYMENT_TOKEN_BYTES = 256;
/** The same of a packed one, without lists; and the bytes of its layout for each commitment. */
const PACKED_OVERHEAD_BYTES = 4_096;
const LAYOUT_ROW_BYTES = 12;
/** Bodies that packing makes smaller, and that are compressed within some milliseconds. */
const PACKABLE_BYTES = { least: 4_096, most: 256 * 1_024 };

/** Facts about a revision besides its body. */
export interface RevisionDetails {
  /** See `Representation`. */
  readonly sale?: SaleSummary | undefined;
  readonly committedAtMs?: number | undefined;
  /** Value of the header with the block of the sale's last change; absent where that isn't known. */
  readonly changedBlock?: string | undefined;
  /** 0 by default. */
  readonly correction?: number;
}

/** A sale's public body at one revision. */
export class Representation extends PublicDocument {
  readonly generation: bigint;
  readonly revision: bigint;

  /** Name and status for the sale's page; absent where the commitments service is of an older version. */
  readonly sale: SaleSummary | undefined;

  /**
   * Time of the revision's commit by the database's clock, in milliseconds since 1970; absent where the commitments
   * service doesn't know it any more, or is of an older version.
   */
  readonly committedAtMs: number | undefined;

  /** Number of times that a load replaced a wrong body built from events at this revision; part of the ETag and of event IDs. */
  readonly correction: number;

  /** Bytes of the uncompressed body. */
  readonly bodyBytes: number;

  readonly #details: RevisionDetails;
  readonly #form: { body: PublicBody | undefined };
  #packed: { readonly layout: BodyLayout; readonly gzipBytes: number } | undefined;

  constructor(generation: bigint, revision: bigint, body: PublicBody, details: RevisionDetails = {}) {
    const { sale, committedAtMs, changedBlock, correction = 0 } = details;
    const kind = { mediaType: JSON_MEDIA_TYPE, ...changedBlockHeaders(changedBlock) };
    const form: { body: PublicBody | undefined } = { body };
    // Once packed it has bytes without this function.
    const makeBytes = () => form.body?.bytes() ?? Buffer.alloc(0);
    super(`W/"${formatEventId({ generation, revision, correction })}"`, makeBytes, "no-cache", kind);
    this.correction = correction;
    this.generation = generation;
    this.revision = revision;
    this.#form = form;
    this.bodyBytes = body.byteLength;
    this.sale = sale;
    this.committedAtMs = committedAtMs;
    this.#details = details;
  }

  /**
   * Returns this representation as the successor of another one. Where both have the same revision but different
   * bodies, the successor has a higher correction, and so another ETag.
   */
  after(before: Representation): Representation {
    const { generation, revision, body } = this;
    if (before.generation !== generation || before.revision !== revision) return this;
    const correction = before.correction + (body.equals(before.body) ? 0 : 1);
    if (correction === this.correction) return this;
    return new Representation(generation, revision, body, { ...this.#details, correction });
  }

  /** The body; where it is packed, made anew on each call. */
  get body(): PublicBody {
    const { body } = this.#form;
    if (body !== undefined) return body;
    if (this.#packed === undefined) throw new Error("a representation has a body or a packed one");
    return bodyOfLayout(this.#packed.layout, this.identity.bytes);
  }

  /** Whether `pack` would save memory. */
  get isPackable(): boolean {
    const { least, most } = PACKABLE_BYTES;
    return this.#form.body !== undefined && this.bodyBytes >= least && this.bodyBytes <= most;
  }

  /** Keeps only the compressed body, a tenth of the memory; everything else is made of it when it is asked for. */
  pack(): void {
    const { body } = this.#form;
    if (body === undefined) return;
    this.#packed = { layout: layoutOf(body), gzipBytes: this.keepGzipOnly() };
    this.#form.body = undefined;
  }

  /**
   * Upper bound of the bytes held: the texts that the body is made of, the body itself and its gzip form. Both are
   * counted from the start. The gzip form is hardly ever larger than the body.
   */
  get byteLength(): number {
    if (this.#packed !== undefined) {
      const { layout, gzipBytes } = this.#packed;
      const ofLayout = LAYOUT_ROW_BYTES * layout.jsonBytes.length;
      return gzipBytes + ofLayout + SUMMARY_COPIES * this.#summaryBytes() + PACKED_OVERHEAD_BYTES;
    }
    return 3 * this.bodyBytes + SUMMARY_COPIES * this.#summaryBytes() + OVERHEAD_BYTES;
  }

  #summaryBytes(): number {
    const { presentation, paymentTokens = [] } = this.sale ?? {};
    return Buffer.byteLength(presentation?.description ?? "") + paymentTokens.length * PAYMENT_TOKEN_BYTES;
  }
}
