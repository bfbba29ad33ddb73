/** Returns the version in a hidden field, as digits; 1 where it isn't one. */
export function enteredVersion(text: string): string {
  return /^[1-9]\d{0,18}$/.exec(text)?.[0] ?? "1";
}
