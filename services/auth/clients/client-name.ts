import type { Violation } from "../../shared/errors/service-error.ts";
import { hasLinkParts, LINK_IN_NAME } from "../../shared/names/link-in-name.ts";

const MAX_CHARACTERS = 100;
/**
 * Controls, line breaks, characters that reorder the text around them (UAX 9), and invisible ones such as zero-width
 * characters, so that none of these makes two names look the same.
 */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Mark-up: names appear in mails, pages and other people's programs, which may forget to escape them. */
const MARKUP = /[<>]/;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** The name of a client as it is stored: without surrounding white space. */
export function trimmedClientName(name: string): string {
  return name.trim();
}

/**
 * Returns the violations of the name of a client, which users see on the pages of an authorization and in mails.
 *
 * @param kept the name that the client has, which may be older than the rule about links
 */
export function clientNameViolations(name: string, kept?: string): readonly Violation[] {
  const trimmed = trimmedClientName(name);
  const rules = [
    {
      rule: "name.characters",
      message: "must not contain control, invisible or direction-changing characters",
      isBroken: FORBIDDEN.test(trimmed),
    },
    { rule: "name.markup", message: "must not contain < or >", isBroken: MARKUP.test(trimmed) },
    { ...LINK_IN_NAME, isBroken: trimmed !== kept && hasLinkParts(trimmed) },
    { rule: "name.empty", message: "must have a visible character", isBroken: !VISIBLE.test(trimmed) },
    {
      rule: "name.length",
      message: `must have at most ${MAX_CHARACTERS} characters`,
      isBroken: [...trimmed].length > MAX_CHARACTERS,
    },
  ];
  return rules
    .filter(({ isBroken }) => isBroken)
    .map(({ rule, message }) => ({ field: "definition.name", rule, message }));
}
