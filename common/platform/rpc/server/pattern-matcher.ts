const patterns = new Map<string, RegExp>();

/**
 * Matches with the runtime's regular expressions, ten times as fast as protovalidate's RE2 in JavaScript. Only for the
 * patterns of our protos, which are few and can't backtrack. Patterns of strangers would need RE2.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    compiled = new RegExp(pattern, "u");
    patterns.set(pattern, compiled);
  }
  return compiled.test(text);
}
