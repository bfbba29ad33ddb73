/** Reasons why an entry can't be read as a number (see `readExactNumber`). */
export const NUMBER_WORDS = {
  missing: "Enter a number",
  long: "Write at most {count} characters",
  negative: "It can’t be negative",
  zero: "The number after / can’t be 0",
  comma: "Write {number} with a point if that is meant",
  ambiguous: "Write {whole} or {decimal}, whichever is meant",
  example: "Write a number such as 0.25, 1,000,000 or 1/3",
} as const;
