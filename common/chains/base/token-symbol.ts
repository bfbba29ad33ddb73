import { hasHiddenCharacters } from "../../platform/names/hidden-characters.ts";

const MAX_CHARACTERS = 32;
/** Letters, digits, punctuation and symbols, with single spaces between them: no marks that pile up. */
const shown = /^[\p{L}\p{N}\p{P}\p{S}]+(?: [\p{L}\p{N}\p{P}\p{S}]+)*$/u;
/** Characters of mark-up: a symbol appears in pages, mails and other people's programs, and some of them may not escape it. */
const markup = /[<>&"'`]/;
/** The signs that stand for bytes that are no text, and for an object: with them a symbol isn't whole. */
const replaced = /[\ufffc\ufffd]/;
/** Letters that are written from right to left would move the amount beside them. */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * Returns the symbol of a token without the white space around it; undefined if it can't be shown. Whoever makes a token
 * chooses its symbol, so it is hostile text, and a part of it could look like another symbol: it is shown whole or not at all.
 */
export function tokenSymbol(text: string): string | undefined {
  const symbol = text.trim();
  const fits = [...symbol].length <= MAX_CHARACTERS && shown.test(symbol) && !hasHiddenCharacters(symbol);
  return fits && !markup.test(symbol) && !replaced.test(symbol) && !rightToLeft.test(symbol) ? symbol : undefined;
}
