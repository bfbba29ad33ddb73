import { html } from "hono/html";
import type { Message } from "../../../common/platform/language/message.ts";
import type { Html } from "./layout.ts";

const PLACE = /\{(\w+)\}/;

/** Returns a text with its places filled with HTML, or with texts that it escapes. */
export function fillHtml<Place extends string>(
  message: Message<Place>,
  values: Readonly<Record<Place, Html | string>>,
): Html {
  // Splitting by a pattern with a group puts the names of the places at the odd indices.
  const pieces = message.split(PLACE);
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : values[piece as Place]))}`;
}
