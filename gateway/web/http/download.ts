import type { Logger } from "../../../common/platform/log/log.ts";
import type { AuthContext } from "./hono-context.ts";
import { textStream } from "./text-stream.ts";

/** Texts that are made before an answer begins: the names of the columns, and the first rows. */
const FIRST_TEXTS = 2;

/** A CSV file to download. */
export interface Download {
  readonly name: string;
  readonly texts: AsyncGenerator<string, void>;
  /** Aborted when the reader goes. */
  readonly ending: AbortController;
}

/** Answers with a file. @throws what its first texts throw: once the file has begun, it can only break off */
export async function answerDownload(
  c: AuthContext,
  { name, texts, ending }: Download,
  { logger }: { readonly logger: Logger },
): Promise<Response> {
  const headers = {
    "Content-Type": "text/csv; charset=utf-8; header=present",
    "Content-Disposition": `attachment; filename="${name}"`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };
  if (c.req.method === "HEAD") {
    ending.abort();
    return c.body(null, 200, headers);
  }
  try {
    const begun = await begunTexts(texts);
    return c.body(textStream(begun, ending, { answer: c.env.outgoing, logger }), 200, headers);
  } catch (error) {
    ending.abort();
    throw error;
  }
}

/** Makes the first texts of a file, before which its answer can still be an error. @returns all texts @throws what they throw */
export async function begunTexts(texts: AsyncGenerator<string, void>): Promise<AsyncGenerator<string, void>> {
  const first: string[] = [];
  while (first.length < FIRST_TEXTS) {
    const { done, value } = await texts.next();
    if (done === true) break;
    first.push(value);
  }
  return withRest(first, texts);
}

async function* withRest(first: readonly string[], rest: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  try {
    yield* first;
    yield* rest;
  } finally {
    await rest.return();
  }
}
