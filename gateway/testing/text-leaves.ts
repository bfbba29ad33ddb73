/** A text of a language, or its forms by plural category. */
export type Leaf = string | Readonly<Record<string, string>>;

interface Branch {
  readonly [name: string]: Leaf | Branch;
}

/** Returns the texts of a language by their name, such as `signIn.title`. */
export function leavesOf(texts: object, prefix = ""): ReadonlyMap<string, Leaf> {
  const entries = Object.entries(texts as Branch).flatMap(([key, value]): (readonly [string, Leaf])[] => {
    const name = prefix + key;
    return isLeaf(value) ? [[name, value]] : [...leavesOf(value, `${name}.`)];
  });
  return new Map(entries);
}

/** Returns the names of a text's places, each once, in alphabetical order; those of any of its forms. */
export function placesOf(text: Leaf | undefined): readonly string[] {
  const forms = typeof text === "string" ? [text] : Object.values(text ?? {});
  const places = forms.flatMap((form) => Array.from(form.matchAll(/\{(\w+)\}/g), ([, place = ""]) => place));
  // A form of a single one may say it in a word.
  return [...new Set(places)].filter((place) => place !== "count" || typeof text === "string").toSorted();
}

/** Returns the texts whose name, and that of what it is in, no source has together. @param sources texts of source files */
export function unusedTexts(texts: ReadonlyMap<string, Leaf>, sources: readonly string[]): string[] {
  const words = sources.map((source) => new Set(source.match(/\w+/g)));
  return [...texts.keys()].filter((name) => {
    const parts = name.split(".").slice(-2);
    return !words.some((known) => parts.every((part) => known.has(part)));
  });
}

/** Attributes that nobody reads. */
const NAMES = / (?:id|name|for|href|action|value|aria-labelledby|aria-describedby)="[^"]*"/g;
const MARKED = /<span lang="en"[^>]*>[^<]*<\/span>/g;

/**
 * Returns what a page in another language shows of the English texts, besides what it marks as English: nothing, if all of it is
 * translated.
 */
export function englishOn(html: string, english: object, translated: object): string[] {
  const others = leavesOf(translated);
  const shown = html.replaceAll(NAMES, "").replaceAll(MARKED, "");
  return Array.from(leavesOf(english)).flatMap(([name, text]) => {
    // Short ones can be a part of other words.
    if (typeof text !== "string" || text.length < 10 || text.includes("{") || text === others.get(name)) return [];
    return hasWords(shown, text) ? [name] : [];
  });
}

/** Whether a text has words as such, and not only as a part of a name such as `ApplyCommitments`. */
function hasWords(text: string, words: string): boolean {
  const pieces = text.split(words);
  return pieces.some((piece, index) => index > 0 && !/\p{L}$/u.test(pieces[index - 1] ?? "") && !/^\p{L}/u.test(piece));
}

function isLeaf(value: Leaf | Branch): value is Leaf {
  return typeof value === "string" || typeof value["other"] === "string";
}
