/** Whether a subject matches a pattern: `*` matches one token, `>` at the end one or more. */
export function matchesSubject(pattern: string, subject: string): boolean {
  const wanted = pattern.split(".");
  const tokens = subject.split(".");
  const isOpen = wanted.at(-1) === ">";
  if (isOpen ? tokens.length < wanted.length : tokens.length !== wanted.length) return false;
  return wanted.every((token, index) => token === "*" || token === tokens[index] || (isOpen && token === ">"));
}
