const NEEDS_QUOTES = /[",\r\n]/;

/** A CSV record (RFC 4180 section 2), with its line break. */
export function csvRecord(fields: readonly string[]): string {
  const quoted = fields.map((field) => (NEEDS_QUOTES.test(field) ? `"${field.replaceAll('"', '""')}"` : field));
  return `${quoted.join(",")}\r\n`;
}
