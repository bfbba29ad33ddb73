/** The privileges of an account on one database. */
export interface Grants {
  readonly privileges: ReadonlySet<string>;
  /** Whether it may have others: on single tables, or by a role whose privileges the database doesn't list. */
  readonly hasOthers: boolean;
}

const NAME = "`(?:[^`]|``)*`|\\*";
const ON = new RegExp(`^GRANT (.+?) ON (${NAME})\\.(${NAME}) TO `);
const ROLE = /^GRANT (?:`[^`]*`|'[^']*')/;
/** "ALL PRIVILEGES", as far as Tidemark is concerned. */
const ALL = ["SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "INDEX", "DROP"];

/**
 * Reads the answer of `SHOW GRANTS`.
 *
 * @param lines one for each grant
 */
export function grantsOn(database: string, lines: readonly string[]): Grants {
  const privileges = new Set<string>();
  let hasOthers = false;
  for (const line of lines) {
    const [, list = "", schema = "", table = ""] = ON.exec(line) ?? [];
    if (list === "") hasOthers ||= ROLE.test(line);
    else if (!isOnDatabase(schema, database)) continue;
    else if (table === "*") for (const privilege of privilegesOf(list)) privileges.add(privilege);
    else hasOthers = true;
  }
  return { privileges, hasOthers };
}

function privilegesOf(list: string): readonly string[] {
  return list === "ALL PRIVILEGES" || list === "ALL" ? ALL : list.split(",").map((each) => each.trim().toUpperCase());
}

/** The name of a database in a grant is a pattern of LIKE. */
function isOnDatabase(schema: string, database: string): boolean {
  if (schema === "*") return true;
  const pattern = schema.slice(1, -1).replaceAll("``", "`");
  const source = pattern.replaceAll(/\\([\s\S])|[\s\S]/gu, (sign, literal?: string) => {
    if (literal !== undefined) return literalSource(literal);
    if (sign === "%") return "[\\s\\S]*";
    return sign === "_" ? "[\\s\\S]" : literalSource(sign);
  });
  return new RegExp(`^${source}$`, "u").test(database);
}

function literalSource(sign: string): string {
  return /[\w ]/.test(sign) ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`;
}
