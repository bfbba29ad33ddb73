import type { Violation } from "../../shared/errors/service-error.ts";

const MAX_CHARACTERS = 100;
/**
 * Controls, line breaks, what reorders the text around it (UAX 9), and what can't be seen, such as zero-width characters:
 * two names that look the same are the same.
 */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Of mark-up: a name goes through mails, pages and programs of others, not all of which may escape it. */
const MARKUP = /[<>]/;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** The name of a client as it is kept: without white space around it. */
export function trimmedClientName(name: string): string {
  return name.trim();
}

/** What is wrong with the name of a client, which the pages of an authorization show. */
export function clientNameViolations(name: string): readonly Violation[] {
  const trimmed = trimmedClientName(name);
  const rules = [
    {
      rule: "name.characters",
      message: "must not hold control, invisible or direction-changing characters",
      isBroken: FORBIDDEN.test(trimmed),
    },
    { rule: "name.markup", message: "must not hold < or >", isBroken: MARKUP.test(trimmed) },
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
