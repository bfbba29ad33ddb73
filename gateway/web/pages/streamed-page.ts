import { html, raw } from "hono/html";
import type { Logger } from "../../../common/platform/log/log.ts";
import type { AuthContext } from "../http/hono-context.ts";
import { textStream } from "../http/text-stream.ts";
import { documentOf, type Html, type Page, setPageHeaders, withMenu } from "./layout.ts";

/** Place of what comes later. No text that anybody enters can contain it: `<` is escaped. */
const PLACE = "<!--rest-->";

/**
 * Answers with a page whose content goes on while the browser shows its beginning, for work that takes long. It needs no script.
 *
 * @param rest what follows the page's content; it must not throw
 * @param ending aborted when the reader goes
 */
export async function showStreamedPage(
  c: AuthContext,
  page: Page,
  rest: AsyncGenerator<Html, void>,
  ending: AbortController,
  { logger }: { readonly logger: Logger },
): Promise<Response> {
  setPageHeaders(c, page);
  c.header("Content-Type", "text/html; charset=UTF-8");
  const whole = String(await documentOf({ ...withMenu(c, page), content: html`${page.content}${raw(PLACE)}` }));
  const [before = "", after = ""] = whole.split(PLACE);
  return c.body(textStream(textsOf(before, rest, after), ending, { answer: c.env.outgoing, logger }));
}

async function* textsOf(before: string, rest: AsyncGenerator<Html, void>, after: string): AsyncGenerator<string, void> {
  yield before;
  for await (const part of rest) yield String(await part);
  yield after;
}
