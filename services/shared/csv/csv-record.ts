const NEEDS_QUOTES = /[",\r\n]/;

/** One record of RFC 4180, section 2, its line break included. */
export function csvRecord(fields: readonly string[]): string {
  const quoted = fields.map((field) => (NEEDS_QUOTES.test(field) ? `"${field.replaceAll('"', '""')}"` : field));
  return `${quoted.join(",")}\r\n`;
}
