import type { SyntaxNode } from "@lezer/common";
import { parser } from "@prometheus-io/lezer-promql";

/** A label matcher within `{}`. */
export interface LabelMatcher {
  readonly label: string;
  readonly operator: "=" | "!=" | "=~" | "!~";
  readonly value: string;
}

/** An instant or range vector selector. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly LabelMatcher[];
}

/** The metrics and labels that a PromQL expression reads. */
export interface PromqlUse {
  readonly selectors: readonly Selector[];
  /** Labels in `by`, `without`, `on`, `ignoring`, `group_left` and `group_right`. */
  readonly labels: readonly string[];
}

/**
 * Finds the metrics and labels of an expression.
 *
 * @throws SyntaxError if Prometheus' grammar doesn't know it
 */
export function promqlUse(expression: string): PromqlUse {
  const textOf = (node: SyntaxNode | null) => (node === null ? "" : expression.slice(node.from, node.to));
  const selectors: Selector[] = [];
  const labels: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ type, node }) => {
      if (type.isError) throw new SyntaxError(`unknown at ${node.from}: ${expression}`);
      if (type.name === "VectorSelector") selectors.push({ metric: textOf(node.getChild("Identifier")), matchers: [] });
      if (type.name === "GroupingLabels") labels.push(...node.getChildren("LabelName").map(textOf));
      if (type.name === "UnquotedLabelMatcher") addMatcher(selectors, node, textOf);
    },
  });
  return { selectors, labels };
}

/** Adds a matcher to the selector that was entered last, which is its own. */
function addMatcher(selectors: Selector[], node: SyntaxNode, textOf: (node: SyntaxNode | null) => string): void {
  const selector = selectors.pop();
  if (selector === undefined) return;
  const operator = textOf(node.getChild("MatchOp")) as LabelMatcher["operator"];
  const value = JSON.parse(textOf(node.getChild("StringLiteral")));
  const matcher = { label: textOf(node.getChild("LabelName")), operator, value };
  selectors.push({ ...selector, matchers: [...selector.matchers, matcher] });
}
