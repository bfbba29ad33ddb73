/** A doc comment that opens with a word that depends on words that aren't there: `Of …`, `As …`, `What …`. */
export interface DanglingComment {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

const DANGLING = /^[ \t]*\/\*\*\s*(?:\*[ \t]*)?((?:Of|As|What|That|Which|For so)\b[^\n]*)/gm;

/** Returns the dangling doc comments of a source file. A comment should open with a noun or a verb. */
export function danglingComments(source: string): readonly DanglingComment[] {
  return Array.from(source.matchAll(DANGLING), (match) => ({
    line: source.slice(0, match.index).split("\n").length,
    text: (match[1] ?? "").replace(/\s*\*\/.*$/, ""),
  }));
}
