import { hasHiddenCharacters } from "./hidden-characters.ts";
import { hasLinkParts, LINK_IN_NAME } from "./link-in-name.ts";

/** A rule that a name breaks. */
export interface BrokenRule {
  /** Stable, such as `name.characters`. */
  readonly rule: string;
  /** The problem in words, for people. */
  readonly message: string;
}

/** Mark-up: names appear in mails, pages and other people's programs, which may forget to escape them. */
const MARKUP = /[<>]/;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Returns the rules that a name breaks, which one person chooses and others see on pages and in mails.
 *
 * @param name without the white space around it
 * @param kept the name so far, which may be older than the rules about links and invisible characters
 */
export function brokenNameRules(
  name: string,
  { maxCharacters, kept }: { readonly maxCharacters: number; readonly kept?: string | undefined },
): readonly BrokenRule[] {
  const rules = [
    {
      rule: "name.characters",
      message: "must not contain control, invisible or direction-changing characters",
      isBroken: name !== kept && hasHiddenCharacters(name),
    },
    { rule: "name.markup", message: "must not contain < or >", isBroken: MARKUP.test(name) },
    { ...LINK_IN_NAME, isBroken: name !== kept && hasLinkParts(name) },
    { rule: "name.empty", message: "must have a visible character", isBroken: !VISIBLE.test(name) },
    {
      rule: "name.length",
      message: `must have at most ${maxCharacters} characters`,
      isBroken: [...name].length > maxCharacters,
    },
  ];
  return rules.filter(({ isBroken }) => isBroken).map(({ rule, message }) => ({ rule, message }));
}
