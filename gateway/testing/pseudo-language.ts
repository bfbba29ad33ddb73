import { DIRECTIONS } from "../../common/platform/language/language.ts";
import { TEXTS } from "../web/texts/texts.ts";

/** Letters that are written from right to left, in place of the 26 of English. */
const LETTERS = "אבגדהוזחטיכלמנסעפצקרשתךםןף";

type Texts = { [name: string]: string | Texts };

/**
 * Puts a language that is written from right to left in the place of German, for tests of how pages are laid out in one. Its texts are
 * the English ones in other letters, with the same places. Nothing but a test can speak it.
 *
 * @returns ends it
 */
export function speakPseudoLanguage(): () => void {
  const german = TEXTS.de as unknown as Texts;
  const before = structuredClone(german);
  replaceTexts(german, mapped(TEXTS.en as unknown as Texts));
  setDirection("rtl");
  return () => {
    replaceTexts(german, before);
    setDirection("ltr");
  };
}

/** Returns a text as the pseudo-language has it: its letters changed, and its places in braces as they are. */
export function pseudoText(text: string): string {
  return text
    .split(/(\{\w+\})/)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replaceAll(/[a-z]/gi, pseudoLetter)))
    .join("");
}

function pseudoLetter(letter: string): string {
  return LETTERS.charAt(letter.toLowerCase().charCodeAt(0) - "a".charCodeAt(0));
}

function mapped(texts: Texts): Texts {
  const entries = Object.entries(texts).map(([name, text]) => [
    name,
    typeof text === "string" ? pseudoText(text) : mapped(text),
  ]);
  return Object.fromEntries(entries);
}

/** Changes texts where they are, as pages hold the object. */
function replaceTexts(target: Texts, source: Texts): void {
  for (const [name, text] of Object.entries(source)) {
    const old = target[name];
    if (typeof text === "string" || typeof old !== "object") target[name] = text;
    else replaceTexts(old, text);
  }
}

function setDirection(direction: "ltr" | "rtl"): void {
  Object.assign(DIRECTIONS, { de: direction });
}
