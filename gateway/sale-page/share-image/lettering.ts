import { CEDILLA, CEDILLA_PATH, GLYPHS, MARKS } from "./glyphs.ts";
import { type Point, strokesOf } from "./strokes.ts";

/** Distance between letters, in the units of `glyphs.ts`. */
const GAP = 2.1;
const CAPITAL = 7;
/** Heights of marks above small letters and above tall ones. */
const LOW_MARK = 6.3;
const HIGH_MARK = 8.1;
const RAISED = { scale: 0.58, rise: 3.6 };
/** Letters whose dot a mark replaces. */
const DOTLESS: Readonly<Record<string, string>> = { i: "ı" };
const RAISED_SIGNS: Readonly<Record<string, string>> = Object.fromEntries(
  [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁻"].map((sign, index) => [sign, "0123456789-"[index] ?? ""]),
);
const ELLIPSIS = "…";

/** A letter in its place: its strokes, and the space that it takes. */
interface Letter {
  readonly width: number;
  readonly strokes: readonly (readonly Point[])[];
}

/** Whether every character of a text can be drawn. */
export function isDrawable(text: string): boolean {
  return charactersOf(text).every((character) => letterOf(character) !== undefined);
}

/** Returns the width of a text, in the units of its size: 1 is the height of a capital. */
export function widthOf(text: string): number {
  const widths = charactersOf(text).map((character) => (letterOf(character)?.width ?? 0) + GAP);
  return Math.max(0, widths.reduce((sum, width) => sum + width, 0) - GAP) / CAPITAL;
}

/** Returns the strokes of a text that begins at 0, as `widthOf` measures, with the baseline at 0. What can't be drawn is left out. */
export function lettering(text: string): readonly (readonly Point[])[] {
  let left = 0;
  return charactersOf(text).flatMap((character) => {
    const letter = letterOf(character);
    if (letter === undefined) return [];
    const begin = left;
    left += letter.width + GAP;
    return letter.strokes.map((stroke) => stroke.map(([x, y]): Point => [(begin + x) / CAPITAL, y / CAPITAL]));
  });
}

/** Returns a text that is no wider than `width`, shortened at its end where it is. */
export function fitted(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const characters = charactersOf(text);
  while (characters.length > 0 && widthOf(characters.join("") + ELLIPSIS) > width) characters.pop();
  return characters.join("").trimEnd() + ELLIPSIS;
}

/** Returns a text in lines no wider than `width`, at most `maxLines`; the last one is shortened. */
export function wrapped(text: string, width: number, maxLines: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    const longer = line === undefined ? word : `${line} ${word}`;
    const isFull = lines.length === maxLines;
    if (line !== undefined && (isFull || widthOf(longer) <= width)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => fitted(line, width));
}

/** Returns the letters of a text, each with its marks. */
function charactersOf(text: string): string[] {
  const decomposed = text.replace(/\s/g, " ").normalize("NFD");
  return decomposed.match(/\P{M}\p{M}*|\p{M}/gu) ?? [];
}

function letterOf(character: string): Letter | undefined {
  const raised = RAISED_SIGNS[character];
  if (raised !== undefined) return raisedLetter(raised);
  const [base = "", ...marks] = character;
  const glyph = GLYPHS[(marks.length > 0 && DOTLESS[base]) || base];
  if (glyph === undefined) return undefined;
  const [width, path] = glyph;
  const drawn = marks.map((mark) => markOf(mark, base, width));
  if (drawn.includes(undefined)) return undefined;
  return { width, strokes: [...strokesOf(path), ...drawn.flatMap((strokes) => strokes ?? [])] };
}

function raisedLetter(sign: string): Letter | undefined {
  const letter = letterOf(sign);
  if (letter === undefined) return undefined;
  const { scale, rise } = RAISED;
  const strokes = letter.strokes.map((stroke) => stroke.map(([x, y]): Point => [x * scale, rise + y * scale]));
  return { width: letter.width * scale, strokes };
}

function markOf(mark: string, base: string, width: number): readonly (readonly Point[])[] | undefined {
  const path = mark === CEDILLA ? CEDILLA_PATH : MARKS[mark];
  if (path === undefined) return undefined;
  const isTall = /[A-ZØbdfhklt]/.test(base);
  const y = mark === CEDILLA ? 0 : isTall ? HIGH_MARK : LOW_MARK;
  return strokesOf(path).map((stroke) => stroke.map(([dx, dy]): Point => [width / 2 + dx, y + dy]));
}
