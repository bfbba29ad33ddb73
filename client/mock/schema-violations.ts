import type { MockDocument, Schema } from "./document.ts";
import { isObject, type Json } from "./json.ts";
import type { Violation } from "./mock-error.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the rules of a schema that a request breaks, with the names that the service gives them. */
export function schemaViolations(document: MockDocument, schema: Schema, value: Json, field = ""): Violation[] {
  const { oneOf, properties, required = [], ...rules } = document.resolved(schema);
  if (oneOf !== undefined) return bestOf(oneOf.map((choice) => schemaViolations(document, choice, value, field)));
  if (!isObject(value)) return textViolations(rules, value, field);
  const missing = required
    .filter((name) => value[name] === undefined)
    .map((name) => violation(name, "required", "is required"));
  const wrong = Object.entries(properties ?? {}).flatMap(([name, of]) => {
    const own = value[name];
    return own === undefined ? [] : schemaViolations(document, of, own, name);
  });
  return [...missing, ...wrong];
}

/** Returns the shortest list: that of the choice which was most likely meant. */
function bestOf(lists: readonly Violation[][]): Violation[] {
  return lists.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function textViolations(rules: Schema, value: Json, field: string): Violation[] {
  if (rules.const !== undefined && value !== rules.const) return [violation(field, "const", `must be ${rules.const}`)];
  if (rules.type !== "string") return [];
  if (typeof value !== "string") return [violation(field, "string", "must be a string")];
  if (value === "") return [violation(field, "string.min_len", "must not be empty")];
  if (rules.format === "uuid" && !UUID.test(value)) return [violation(field, "string.uuid", "must be a UUID")];
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern = "" } = rules;
  if (value.length < minLength)
    return [violation(field, "string.min_len", `must have ${minLength} characters at least`)];
  if (value.length > maxLength)
    return [violation(field, "string.max_len", `must have ${maxLength} characters at most`)];
  return new RegExp(pattern).test(value) ? [] : [violation(field, "string.pattern", `must match ${pattern}`)];
}

function violation(field: string, rule: string, message: string): Violation {
  return { field, rule, message };
}
