import { readFile, stat } from "node:fs/promises";
import { type DescMessage, fromJson, type JsonObject, type JsonValue, type MessageShape } from "@bufbuild/protobuf";
import { CommandFailure } from "../base/cli-error.ts";

const MAX_FILE_BYTES = 1 << 20;

/**
 * Reads a JSON object from a file of at most 1 MiB.
 *
 * @throws CommandFailure naming the file
 */
export async function readJsonFile(path: string): Promise<JsonObject> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new RangeError("is larger than 1 MiB");
    return parseObject(await readFile(path, "utf8"));
  } catch (error) {
    throw new CommandFailure(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseObject(text: string): JsonObject {
  const value: JsonValue = JSON.parse(text, refuseInexact);
  if (isJsonObject(value)) return value;
  throw new TypeError("expected a JSON object");
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads a message from its JSON form.
 *
 * @throws CommandFailure naming the first field that is unknown or has the wrong type
 */
export function messageOfJson<Desc extends DescMessage>(schema: Desc, json: JsonObject): MessageShape<Desc> {
  try {
    return fromJson(schema, json);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(message.replaceAll(`${schema.file.proto.package}.`, ""));
  }
}

/** A JSON reviver that refuses numbers that `JSON.parse` may have rounded. */
function refuseInexact(key: string, value: unknown): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  throw new RangeError(`${key}: expected a whole number; above 2^53 it must be in quotes`);
}
