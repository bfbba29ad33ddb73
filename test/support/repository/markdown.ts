/** A fenced block of code. */
export interface CodeBlock {
  /** Word after the opening fence; empty for none. */
  readonly language: string;
  /** Ends with a line break. */
  readonly code: string;
}

const FENCED = /^```(\w*)\n(.*?)^```$/gms;
const DIVIDER = /^\|[-| ]+\|$/;

/** All fenced blocks, from top to bottom; only those of `language` where it is given. */
export function codeBlocks(markdown: string, language?: string): readonly CodeBlock[] {
  const blocks = [...markdown.matchAll(FENCED)].map(([, word = "", code = ""]) => ({ language: word, code }));
  return language === undefined ? blocks : blocks.filter((block) => block.language === language);
}

/** The text without its fenced blocks. */
export function withoutCode(markdown: string): string {
  return markdown.replaceAll(FENCED, "");
}

/**
 * The one block of a language.
 *
 * @throws Error where there is none or more than one
 */
export function onlyCodeBlock(markdown: string, language: string): string {
  const [block, ...others] = codeBlocks(markdown, language);
  if (block === undefined || others.length > 0) throw new Error(`expected one block of ${language}`);
  return block.code;
}

/**
 * The rows of all tables whose first column has this title, cells as written.
 *
 * @throws Error where there is no such table
 */
export function tableRows(markdown: string, firstColumn: string): readonly (readonly string[])[] {
  const lines = markdown.split("\n");
  const starts = [...lines.keys()].filter(
    (index) => cellsOf(lines[index] ?? "")[0] === firstColumn && DIVIDER.test(lines[index + 1] ?? ""),
  );
  if (starts.length === 0) throw new Error(`there is no table that begins with ${firstColumn}`);
  return starts.flatMap((start) => rowsFrom(lines.slice(start + 2)));
}

function rowsFrom(lines: readonly string[]): readonly (readonly string[])[] {
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end === -1 ? undefined : end).map(cellsOf);
}

/** Texts between backticks. */
export function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

function cellsOf(line: string): string[] {
  return line.startsWith("|")
    ? line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim())
    : [];
}
