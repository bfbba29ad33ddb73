/** Whether a subject fits a pattern with `*` for any one token and `>` for any number of tokens, one at least, at the end. */
export function matchesSubject(pattern: string, subject: string): boolean {
  const wanted = pattern.split(".");
  const tokens = subject.split(".");
  const isOpen = wanted.at(-1) === ">";
  if (isOpen ? tokens.length < wanted.length : tokens.length !== wanted.length) return false;
  return wanted.every((token, index) => token === "*" || token === tokens[index] || (isOpen && token === ">"));
}
