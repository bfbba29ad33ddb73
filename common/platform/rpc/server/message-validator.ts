import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { pathToString } from "@bufbuild/protobuf/reflect";
import { createValidator } from "@bufbuild/protovalidate";
import { invalidArgument } from "../../errors/service-error.ts";

/** Checks messages by the rules in their protos. */
export const messageValidator = createValidator({ regexMatch: matchesPattern });

/**
 * Checks a message that a handler has made of a request.
 *
 * @param field the field of the request that violations name before their own
 * @throws ServiceError `invalid_argument`
 */
export function requireValid<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>, field: string): void {
  const result = messageValidator.validate(schema, message);
  if (result.kind === "valid") return;
  if (result.kind === "error") throw result.error;
  const violations = result.violations.map(({ field: path, ruleId: rule, message: text }) => {
    const own = pathToString(path);
    return { field: own === "" ? field : `${field}.${own}`, rule, message: text };
  });
  throw invalidArgument(violations);
}

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
