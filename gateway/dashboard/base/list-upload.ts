import { html } from "hono/html";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { guardedFormOf } from "../../web/pages/form-guard.ts";
import type { Html } from "../../web/pages/layout.ts";
import { PageError } from "../../web/pages/page-error.ts";
import type { Texts } from "../../web/texts/en.ts";
import { areaField } from "./area-field.ts";
import { guardOf } from "./dashboard-page.ts";
import type { ImportDependencies } from "./taking-part-dependencies.ts";
import { texts } from "./texts.ts";
import { type UploadForm, uploadForm } from "./upload-form.ts";

/** Largest form with a list: enough for 100,000 lines of 120 bytes. */
const MAX_LIST_BYTES = 12 * 2 ** 20;
/** Largest list that the page with its check carries, so that it needn't be chosen again. */
const MAX_CARRIED_BYTES = 256 * 1024;
/** Bytes that are read before other work gets its turn. */
const PIECE_BYTES = 65_536;

/** A list that somebody has sent, as a file or as text. */
export interface UploadedList {
  readonly form: UploadForm;
  readonly bytes: Uint8Array;
}

/** Reads the form with a list. @throws PageError */
export async function uploadedList(
  c: AuthContext,
  dependencies: ImportDependencies,
  purpose: string,
): Promise<UploadedList> {
  const bound = {
    maxBytes: MAX_LIST_BYTES,
    title: ({ dashboard }: Texts) => dashboard.base.listTitle,
    text: ({ dashboard }: Texts) => dashboard.base.listText,
  };
  const form = await guardedFormOf(c, dependencies, guardOf(c, dependencies, purpose), (context) =>
    uploadForm(context, bound),
  );
  const bytes = form.file("file") ?? new TextEncoder().encode(form.text("list"));
  if (bytes.length > 0) return { form, bytes };
  throw new PageError(
    400,
    ({ dashboard }) => dashboard.base.noListTitle,
    ({ dashboard }) => dashboard.base.noListText,
  );
}

/** Returns the place for an import. @throws PageError 503 where there is none */
export function importPlace({ listImports }: ImportDependencies, accountUuid: string): () => void {
  const leave = listImports.take(accountUuid);
  if (leave !== undefined) return leave;
  throw new PageError(
    503,
    ({ dashboard }) => dashboard.base.otherListsTitle,
    ({ dashboard }) => dashboard.base.otherListsText,
    { headers: { "Retry-After": "60" } },
  );
}

/** Yields a list in pieces, so that a long one doesn't keep others waiting. */
export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
    await new Promise(setImmediate);
  }
}

/** Returns the fields for a list: a file or text. @param hint the form of the lines */
export function listFields(hint: string): Html {
  const { file, lines, linesHint } = texts().base;
  return html`<div class="field"><label for="file">${file}</label><p class="hint" id="file-hint">${hint}</p>
<input type="file" id="file" name="file" accept=".csv,.txt,text/csv,text/plain" aria-describedby="file-hint"></div>
${areaField({ id: "list", label: lines, hint: linesHint }, "", html`rows="4" spellcheck="false" autocomplete="off" autocapitalize="none"`)}`;
}

/** Returns a list as a hidden field, for the form that imports what was checked; undefined for a large one. */
export function carriedList(bytes: Uint8Array): Html | undefined {
  if (bytes.length > MAX_CARRIED_BYTES) return undefined;
  return html`<textarea name="list" hidden aria-hidden="true">
${new TextDecoder().decode(bytes)}</textarea>`;
}
