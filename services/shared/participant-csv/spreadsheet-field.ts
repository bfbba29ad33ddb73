/**
 * Beginnings at which a spreadsheet takes a field for a formula, in the full width that East Asian ones take, too; and fields
 * that begin so after apostrophes, so that the apostrophe that is put before can be told from one of the field's own.
 */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
const PREFIXED = /^'+[=+\-@\t\r＝＋－＠]/;

/** Returns a field that a spreadsheet shows and doesn't run: an apostrophe comes before what it would run. */
export function spreadsheetField(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Returns the field of which `spreadsheetField` made a text. */
export function fieldOfSpreadsheet(text: string): string {
  return PREFIXED.test(text) ? text.slice(1) : text;
}
