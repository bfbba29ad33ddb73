import { jsonTypeProblem } from "./content-negotiation.ts";

/** The members of a JSON object by name. */
export type JsonObject = Readonly<Record<string, unknown>>;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Returns what is wrong with the headers of a JSON body; undefined where they are right. */
export function jsonHeadersProblem(
  contentType: string | undefined,
  contentEncoding: string | undefined,
): string | undefined {
  const problem = jsonTypeProblem(contentType);
  if (problem !== undefined) return problem;
  return contentEncoding === undefined ? undefined : "The request body must not be encoded.";
}

/** Returns the sentence that refuses a body for its length, or for its chunks (see `BodyBuffer`). */
export function bodyLengthProblem(maxBytes: number): string {
  return `The request body must not be larger than ${maxBytes} bytes, nor cut into many chunks of a few bytes.`;
}

/**
 * Returns the object that a body holds as JSON in UTF-8, or a sentence that says what is wrong with it. If a member comes
 * twice, the last one counts, as in ECMAScript.
 */
export function parseJsonObject(body: Buffer): JsonObject | string {
  const value = parseJson(body);
  if (value === undefined) return "The request body must be valid JSON in UTF-8.";
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : "The request body must be a JSON object.";
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}
