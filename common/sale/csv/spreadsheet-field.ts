/** Beginnings that a spreadsheet runs, and the sign that protects from it, so that it isn't lost itself. */
const RUN_BY_SPREADSHEETS = /^[=+\-@\t\r'＝＋－＠]/;

/** Returns a field for a file, so that no spreadsheet takes it for a formula. */
export function protectedField(field: string): string {
  return RUN_BY_SPREADSHEETS.test(field) ? `'${field}` : field;
}

/** Undoes `protectedField`. */
export function unprotected(field: string): string {
  return field.startsWith("'") && RUN_BY_SPREADSHEETS.test(field.slice(1)) ? field.slice(1) : field;
}
