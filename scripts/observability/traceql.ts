/** A comparison within `{}`. */
interface Comparison {
  /** `name`, `kind`, `duration`, or an attribute with its scope. */
  readonly field: string;
  /** Text as it is written: strings with their quotes. */
  readonly value: string;
}

/** The fields that a TraceQL query reads. */
export interface TraceqlUse {
  readonly comparisons: readonly Comparison[];
  /** The fields that it shows besides. */
  readonly selected: readonly string[];
}

const ATTRIBUTE = String.raw`(?:span|resource)\.[a-z][a-z_.]*`;
const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
const COMPARISON = new RegExp(
  [
    `(?<attribute>${ATTRIBUTE}) (?:=~|!~|!=|=) (?<text>${TEXT}|nil|\\d+)`,
    `(?<name>name) = (?<called>${TEXT})`,
    "(?<kind>kind) = (?<role>server|client|producer|consumer|internal)",
    String.raw`(?<duration>duration) [<>] (?<time>\d+(?:ms|s))`,
  ].join("|"),
  "g",
);
const SPANS = String.raw`\{ c(?: (?:&&|\|\|) c)* \}`;
const QUERY = new RegExp(String.raw`^${SPANS}(?: >> ${SPANS})*(?: \| select\((?<selected>[^()]+)\))?$`);
const SELECTED = new RegExp(`^${ATTRIBUTE}$`);

/**
 * Finds the fields of a query of the part of TraceQL that the dashboards use: spans, their descendants, and `select`.
 *
 * @throws SyntaxError for any other
 */
export function traceqlUse(query: string): TraceqlUse {
  const comparisons: Comparison[] = [];
  const shape = query.replaceAll(COMPARISON, (...found) => {
    const { attribute, text, name, called, kind, role, duration, time } = found.at(-1);
    comparisons.push({ field: attribute ?? name ?? kind ?? duration, value: text ?? called ?? role ?? time });
    return "c";
  });
  const match = QUERY.exec(shape);
  const selected = match?.groups?.["selected"]?.split(", ") ?? [];
  if (match === null || !selected.every((field) => SELECTED.test(field))) throw new SyntaxError(`unknown: ${query}`);
  return { comparisons, selected };
}
