import { fill } from "../../../common/platform/language/message.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { boundedBody, mediaTypeOf } from "../../web/http/request-body.ts";
import { PageError } from "../../web/pages/page-error.ts";
import { PageForm, unreadableForm } from "../../web/pages/page-form.ts";
import type { Texts } from "../../web/texts/en.ts";
import type { PageText } from "../../web/texts/texts.ts";

/** The bound of a form with files. */
export interface UploadBound {
  readonly maxBytes: number;
  /** Most parts of the form; those of a page with a few fields by default. */
  readonly maxParts?: number;
  /** Title and text of the error page where a form is larger. */
  readonly title: PageText;
  readonly text: PageText;
}

/** Two logos of the contract's largest size, and the fields around them. */
const LOGOS: UploadBound = {
  maxBytes: 2 * 204_800 + 16 * 1024,
  title: ({ dashboard }) => dashboard.base.logosTitle,
  text: ({ dashboard }) => dashboard.base.logosText,
};
/** Most parts of a form, more than any page sends. Each part costs the parser time that grows with the whole body. */
const MAX_PARTS = 8;

/** Two logos, and all fields of a new sale: a payment token has four. */
export const NEW_SALE_UPLOAD: UploadBound = { ...LOGOS, maxBytes: LOGOS.maxBytes + 64 * 1024, maxParts: 200 };
/** The parameter of the content type (RFC 2046 section 5.1.1). */
const BOUNDARY = /;\s*boundary=(?:"([^"\\]{1,70})"|([^\s";]{1,70}))\s*(?:;|$)/i;

/** A posted form with files (RFC 7578). */
export class UploadForm extends PageForm {
  readonly #files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

  constructor(fields: URLSearchParams, files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>) {
    super(fields.toString());
    this.#files = files;
  }

  /** Returns the content of a file; undefined where none was chosen. */
  file(name: string): Uint8Array<ArrayBuffer> | undefined {
    return this.#files.get(name);
  }
}

/** Reads the form. @throws PageError where the body is too large, of another type or has too many parts */
export async function uploadForm(c: AuthContext, bound = LOGOS): Promise<UploadForm> {
  if (mediaTypeOf(c) !== "multipart/form-data") {
    throw unreadableForm(415, ({ form }) => form.wrongType);
  }
  const body = await boundedBody(c, bound.maxBytes);
  if (body === undefined) throw new PageError(413, bound.title, bound.text);
  const [, quoted, plain] = BOUNDARY.exec(c.req.header("content-type") ?? "") ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw unreadableForm(400, ({ dashboard }) => dashboard.base.noBoundary);
  const { maxParts = MAX_PARTS } = bound;
  if (hasMoreParts(body, { boundary, maxParts })) throw unreadableForm(400, (texts) => tooManyParts(texts, maxParts));
  // The same boundary that the count used, whatever else the header has.
  const headers = { "content-type": `multipart/form-data; boundary="${boundary}"` };
  const data = await new Response(Uint8Array.from(body), { headers }).formData().catch(() => {
    throw unreadableForm(400, ({ dashboard }) => dashboard.base.incomplete);
  });
  const fields = new URLSearchParams();
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [name, value] of data) {
    if (typeof value === "string") fields.append(name, value);
    else if (value.size > 0) files.set(name, new Uint8Array(await value.arrayBuffer()));
  }
  return new UploadForm(fields, files);
}

/** Whether a body has more than a number of parts. The boundary comes before each part and after the last one. */
function hasMoreParts(
  body: Buffer,
  { boundary, maxParts }: { readonly boundary: string; readonly maxParts: number },
): boolean {
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  let at = body.indexOf(delimiter);
  for (let count = 0; at !== -1; count++) {
    if (count > maxParts) return true;
    at = body.indexOf(delimiter, at + delimiter.length);
  }
  return false;
}

function tooManyParts({ dashboard }: Texts, maxParts: number): string {
  return fill(dashboard.base.manyParts, { parts: String(maxParts) });
}
