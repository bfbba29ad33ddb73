/** Forms of text that documentation must not confuse, the most special first. */
const FORMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["digits", /^(0|[1-9]\d*)$/],
  ["timestamp", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ["hex of 32 bytes", /^0x[0-9a-f]{64}$/],
  ["hex of 16 bytes", /^0x[0-9a-f]{32}$/],
  ["EVM address", /^0x[0-9a-f]{40}$/],
  ["hex", /^0x([0-9a-f]{2})*$/],
];

/** A JSON value with its values replaced by what they are like; of an array only the first element. Keys keep their order. */
export function shapeOf(value: unknown): unknown {
  if (typeof value === "string") return FORMS.find(([, pattern]) => pattern.test(value))?.[0] ?? value;
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.entries(value).map(([key, member]) => [key, shapeOf(member)]);
}
