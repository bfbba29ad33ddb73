import { hasLinkParts, LINK_IN_NAME } from "../../platform/names/link-in-name.ts";
import type { ViolationList } from "./violation-list.ts";

const MAX_CHARACTERS = 200;
/** Control characters, line breaks, lone surrogates, and characters that reorder the text around them (UAX 9). */
const forbidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** Characters of mark-up: a name appears in mails, pages and other people's programs, and some of them may not escape it. */
const markup = /[<>]/;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Checks the name of a sale; returns it without the white space around it.
 *
 * @param kept the name that the sale has, which may be older than the rule about links
 */
export function checkSaleName(name: string, violations: ViolationList, kept?: string): string {
  const field = "definition.name";
  if (forbidden.test(name)) {
    violations.add(field, "name.characters", "must not contain control characters, line breaks or bidirectional marks");
  }
  if (markup.test(name)) violations.add(field, "name.markup", "must not contain < or >");
  if (name.trim() !== kept && hasLinkParts(name)) violations.add(field, LINK_IN_NAME.rule, LINK_IN_NAME.message);
  if (!visible.test(name)) violations.add(field, "name.empty", "must have a visible character");
  if ([...name].length > MAX_CHARACTERS) {
    violations.add(field, "name.length", `must have at most ${MAX_CHARACTERS} characters`);
  }
  return name.trim();
}
