/** Longest summary, in characters, as the conventions recommend. */
const MAX_SUMMARY = 255;
/** Characters of a statement that are read. Its tables are at its beginning. */
const MAX_READ = 4_000;
/** A text or binary literal, also one that the end of what is read cuts off. */
const LITERAL = /'(?:[^'\\]|\\.)*(?:'|$)/gs;
const OPERATIONS = new Set(["select", "insert", "update", "delete"]);
/** Words before an `update` that is no operation: `on duplicate key update`, `do update`, `for update`. */
const CLAUSES = new Set(["key", "do", "for"]);
const BEFORE_TABLE = new Set(["from", "join", "into", "update"]);
const TABLE = /^[a-z_]\w*$/;

/**
 * Returns what statements do to which tables, such as `INSERT outbox UPDATE sale`: `db.query.summary` of OpenTelemetry's
 * conventions. It has no value of a statement.
 */
export function querySummary(statements: readonly string[]): string {
  let summary = "";
  for (const statement of statements) {
    for (const word of summaryWords(statement)) {
      const next = summary === "" ? word : `${summary} ${word}`;
      if (next.length > MAX_SUMMARY) return summary;
      summary = next;
    }
  }
  return summary;
}

/** Returns the operation of a statement: its first word in capitals, such as `SELECT`. */
export function queryOperation(statement: string): string {
  return (/\w+/.exec(statement)?.[0] ?? "").toUpperCase();
}

function summaryWords(statement: string): readonly string[] {
  const words =
    statement
      .slice(0, MAX_READ)
      .replace(LITERAL, "''")
      .toLowerCase()
      .match(/\w+|[(']/g) ?? [];
  const summary = words.flatMap((word, index) => {
    const [before = "", earlier = ""] = [words[index - 1], words[index - 2]];
    if (OPERATIONS.has(word)) return word === "update" && CLAUSES.has(before) ? [] : [word.toUpperCase()];
    const isTable = BEFORE_TABLE.has(before) && !CLAUSES.has(earlier) && TABLE.test(word);
    return isTable ? [word] : [];
  });
  return summary.length === 0 ? [queryOperation(statement)] : summary;
}
