import {
  DEFAULT_LANGUAGE,
  knownLanguage,
  LANGUAGES,
  type Language,
} from "../../../common/platform/language/language.ts";

/** Language ranges that are read; a browser sends a handful. */
const MAX_RANGES = 32;
/** A range with its weight (RFC 9110, sections 12.4.2 and 12.5.4), in lower case. */
const RANGE = /^([a-z]{1,8}(?:-[a-z\d]{1,8})*|\*)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

interface Range {
  readonly tag: string;
  readonly weight: number;
}

/**
 * Returns the language that a browser prefers, by `Accept-Language` (RFC 9110, section 12.5.4) and lookup (RFC 4647,
 * section 3.4): `de-CH` is answered in German. The default language where none is wanted.
 *
 * @param header its value; what isn't a range with a weight is ignored
 */
export function acceptedLanguage(header: string | undefined): Language {
  const ranges = rangesOf(header ?? "");
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(({ tag }) => tag));
  const candidates = LANGUAGES.filter((language) => !refused.has(language));
  const accepted = ranges.filter(({ weight }) => weight > 0).toSorted((one, other) => other.weight - one.weight);
  for (const { tag } of accepted) {
    const language = tag === "*" ? candidates[0] : lookedUp(tag);
    if (language !== undefined && candidates.includes(language)) return language;
  }
  return DEFAULT_LANGUAGE;
}

/**
 * Returns the first known language of a space-separated list, as `ui_locales` has it (OpenID Connect Core, section
 * 3.1.2.1); undefined where none is known.
 */
export function firstKnownLanguage(tags: string): Language | undefined {
  for (const tag of tags.toLowerCase().split(" ", MAX_RANGES)) {
    const language = lookedUp(tag);
    if (language !== undefined) return language;
  }
  return undefined;
}

function rangesOf(header: string): Range[] {
  return header
    .toLowerCase()
    .split(",", MAX_RANGES)
    .flatMap((item) => {
      const [, tag, weight = "1"] = RANGE.exec(item.trim()) ?? [];
      return tag === undefined ? [] : [{ tag, weight: Number(weight) }];
    });
}

/** Returns the language of a tag, after taking off subtags from its end. */
function lookedUp(tag: string): Language | undefined {
  const end = tag.lastIndexOf("-");
  return knownLanguage(tag) ?? (end === -1 ? undefined : lookedUp(tag.slice(0, end)));
}
