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

const TOKEN =
  /\s+|"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[A-Za-z_:][\w:]*|\d+(?:\.\d+)?(?:e[+-]?\d+)?[smhdwy]?|=~|!~|!=|==|>=|<=|[-+*/%^<>=(){},]/y;
const GROUPINGS: ReadonlySet<string> = new Set(["by", "without", "on", "ignoring", "group_left", "group_right"]);
const WORDS: ReadonlySet<string> = new Set(["and", "or", "unless", "bool", "offset", "inf", "nan"]);
const NAME = /^[A-Za-z_:]/;

/**
 * Finds the metrics and labels of an expression. Supports only the part of PromQL that our rules and dashboards use.
 *
 * @throws SyntaxError for everything else
 */
export function promqlUse(expression: string): PromqlUse {
  const tokens = tokensOf(expression);
  const selectors: Selector[] = [];
  const labels: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    if (GROUPINGS.has(token)) {
      const end = tokens.indexOf(")", at);
      labels.push(...tokens.slice(at + 1, end).filter((each) => NAME.test(each)));
      at = end;
    } else if (NAME.test(token) && !WORDS.has(token) && tokens[at + 1] !== "(" && !isCall(tokens, at)) {
      const end = tokens[at + 1] === "{" ? tokens.indexOf("}", at) : at;
      selectors.push({ metric: token, matchers: matchersOf(tokens.slice(at + 2, end)) });
      at = end;
    }
  }
  return { selectors, labels };
}

/** Whether the token is an aggregation with its labels first: `sum by (label) (…)`. */
function isCall(tokens: readonly string[], at: number): boolean {
  return ["by", "without"].includes(tokens[at + 1] ?? "");
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const from = TOKEN.lastIndex;
    const [token] = TOKEN.exec(expression) ?? [];
    if (token === undefined) throw new SyntaxError(`unknown at ${from}: ${expression}`);
    if (token.trim() !== "") tokens.push(token);
  }
  checkBrackets(tokens, expression);
  return tokens;
}

function checkBrackets(tokens: readonly string[], expression: string): void {
  const open: string[] = [];
  for (const token of tokens) {
    if (token === "(" || token === "{") open.push(token);
    else if ((token === ")" && open.pop() !== "(") || (token === "}" && open.pop() !== "{")) open.push("wrong");
  }
  if (open.length > 0) throw new SyntaxError(`brackets don't match: ${expression}`);
}

function matchersOf(tokens: readonly string[]): LabelMatcher[] {
  const found: LabelMatcher[] = [];
  for (let at = 0; at < tokens.length; at += 4) {
    const [label = "", operator = "", value = ""] = tokens.slice(at, at + 3);
    if (!isOperator(operator) || !value.startsWith('"')) throw new SyntaxError(`no matcher: ${tokens.join(" ")}`);
    found.push({ label, operator, value: JSON.parse(value) });
  }
  return found;
}

function isOperator(text: string): text is LabelMatcher["operator"] {
  return ["=", "!=", "=~", "!~"].includes(text);
}
