import type { Finding } from "./finding.ts";

const LEVEL_WIDTH = 7;

/** Whether a process can work with what was found. */
export function mayStart(findings: readonly Finding[]): boolean {
  return findings.every(({ level }) => level !== "failed");
}

/** Returns findings as text, a line for each: level, subject, what was found, and what to do. */
export function findingLines(findings: readonly Finding[]): string {
  const width = Math.max(0, ...findings.map(({ subject }) => subject.length));
  return findings
    .map(
      ({ level, subject, ...rest }) => `${level.padEnd(LEVEL_WIDTH)}  ${subject.padEnd(width)}  ${findingText(rest)}\n`,
    )
    .join("");
}

/** Returns what was found and what to do, in one line. */
export function findingText({ text, remedy }: Pick<Finding, "text" | "remedy">): string {
  return oneLine(remedy === undefined ? text : `${text}. To do: ${remedy}`);
}

/** Returns findings as JSON for programs: a list of `level`, `subject`, `text` and, where something is to be done, `remedy`. */
export function findingsJson(findings: readonly Finding[]): string {
  return `${JSON.stringify(findings, null, 2)}\n`;
}

/** Messages of servers may have line breaks, and what a terminal acts on. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}
