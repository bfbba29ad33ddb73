import type { ImportGraph } from "./import-graph.ts";
import type { ImportRule } from "./rules.ts";

/** Imports against a rule that stand until they are mended. `from` and `to` are patterns. */
export interface RuleException {
  readonly rule: number;
  readonly from: string;
  readonly to: string;
  /** How many imports there are; where it is left out, one is enough and more are accepted. */
  readonly edges?: number;
  readonly reason: string;
}

/** An import that a rule forbids. */
export interface Violation {
  readonly rule: number;
  readonly from: string;
  readonly to: string;
}

/** Returns every import that a rule forbids. */
export function findViolations(graph: ImportGraph, rules: readonly ImportRule[]): Violation[] {
  return rules.flatMap((rule) => {
    const isSubject = matcher(rule.of, rule.except);
    const isForbidden = forbiddenBy(rule);
    return [...graph].flatMap(([from, imports]) =>
      isSubject(from) ? imports.filter(isForbidden).map((to) => ({ rule: rule.rule, from, to })) : [],
    );
  });
}

function forbiddenBy({ only, never, but }: ImportRule): (imported: string) => boolean {
  if (only === undefined) return matcher(never ?? [], but);
  const isAllowed = matcher(only);
  return (imported) => !isAllowed(imported);
}

/** Returns the violations that no exception names. */
export function unexceptedViolations(
  violations: readonly Violation[],
  exceptions: readonly RuleException[],
): Violation[] {
  const names = exceptions.map(exceptionMatcher);
  return violations.filter((violation) => !names.some((matches) => matches(violation)));
}

/** Returns a graph of folders without the imports that exceptions of rule 13 name. */
export function withoutExceptions(folders: ImportGraph, exceptions: readonly RuleException[]): ImportGraph {
  const names = exceptions.map(exceptionMatcher);
  const isNamed = (from: string, to: string) => names.some((matches) => matches({ rule: 13, from, to }));
  return new Map(Array.from(folders, ([from, imports]) => [from, imports.filter((to) => !isNamed(from, to))]));
}

/** Returns the exceptions that are no longer needed, or that count more or fewer imports than there are. */
export function outdatedExceptions(
  violations: readonly Violation[],
  exceptions: readonly RuleException[],
): RuleException[] {
  return exceptions.filter((exception) => {
    const count = new Set(violations.filter(exceptionMatcher(exception)).map(({ from, to }) => `${from} ${to}`)).size;
    return exception.edges === undefined ? count === 0 : count !== exception.edges;
  });
}

function exceptionMatcher({ rule, from, to }: RuleException): (violation: Violation) => boolean {
  const isFrom = matcher([from]);
  const isTo = matcher([to]);
  return (violation) => violation.rule === rule && isFrom(violation.from) && isTo(violation.to);
}

/** Returns whether a path matches one of the patterns and none of the excluded ones. */
function matcher(patterns: readonly string[], excluded: readonly string[] = []): (path: string) => boolean {
  const included = patterns.map(patternRegExp);
  const left = excluded.map(patternRegExp);
  return (path) => included.some((pattern) => pattern.test(path)) && !left.some((pattern) => pattern.test(path));
}

/** Translates `**`, `*` and `{a,b}`. `a/**` means all below `a`; `**` before a slash may also be nothing. */
function patternRegExp(pattern: string): RegExp {
  const translated = pattern.replace(/\*\*\/|\*\*|\*|[{},.+]/g, (part) => TRANSLATIONS[part] ?? `\\${part}`);
  return new RegExp(`^${translated}$`);
}

const TRANSLATIONS: Readonly<Record<string, string>> = {
  "**/": "(?:.*/)?",
  "**": ".*",
  "*": "[^/]*",
  "{": "(?:",
  "}": ")",
  ",": "|",
};
