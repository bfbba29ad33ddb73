/** A JSON object of the document. */
export type Json = Readonly<Record<string, unknown>>;

export const digits = (description: string): Json => ({ type: "string", pattern: "^(0|[1-9][0-9]*)$", description });
export const hex = (bytes: number, description: string): Json => ({
  type: "string",
  pattern: `^0x[0-9a-f]{${bytes * 2}}$`,
  description,
});
export const integer = (description: string): Json => ({ type: "integer", format: "int64", minimum: 0, description });
export const text = (description: string): Json => ({ type: "string", description });
export const time = (description: string): Json => ({ type: "string", format: "date-time", description });
export const uuid = (description: string): Json => ({ type: "string", format: "uuid", description });

/** Returns the schema of an object that has all its fields, except perhaps those named in `optional`. */
export function object(
  description: string,
  properties: Readonly<Record<string, Json>>,
  optional: readonly string[] = [],
): Json {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", description, required, properties };
}

export function ref(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` };
}

export const listOf = (schema: string, description: string): Json => ({
  type: "array",
  items: ref(schema),
  description,
});
