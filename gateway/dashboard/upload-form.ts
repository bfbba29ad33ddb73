import type { AuthContext } from "../auth-context.ts";
import { PageError } from "../pages/page-error.ts";
import { PageForm } from "../pages/page-form.ts";
import { boundedBody, mediaTypeOf } from "../small-body.ts";

/** Of a logo by the contract, and of what stands around two of them in a form. */
const MAX_UPLOAD_BYTES = 2 * 204_800 + 16 * 1024;

/** A form with files as it was posted (RFC 7578). */
export class UploadForm extends PageForm {
  readonly #files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

  constructor(fields: URLSearchParams, files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>) {
    super(fields.toString());
    this.#files = files;
  }

  /** What a file holds; undefined where none was chosen. */
  file(name: string): Uint8Array<ArrayBuffer> | undefined {
    return this.#files.get(name);
  }
}

/** @throws PageError where the body is too large or of another type */
export async function uploadForm(c: AuthContext): Promise<UploadForm> {
  if (mediaTypeOf(c) !== "multipart/form-data") {
    throw new PageError(415, "This form can’t be read", "It came in a form that no page of ours sends.");
  }
  const body = await boundedBody(c, MAX_UPLOAD_BYTES);
  if (body === undefined) {
    throw new PageError(413, "These files are too large", "A logo may have 200 KB at most. Nothing was changed.");
  }
  const contentType = c.req.header("content-type") ?? "";
  const data = await new Response(Uint8Array.from(body), { headers: { "content-type": contentType } })
    .formData()
    .catch(() => {
      throw new PageError(400, "This form can’t be read", "It broke off on its way. Please send it again.");
    });
  const fields = new URLSearchParams();
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [name, value] of data) {
    if (typeof value === "string") fields.append(name, value);
    else if (value.size > 0) files.set(name, new Uint8Array(await value.arrayBuffer()));
  }
  return new UploadForm(fields, files);
}
