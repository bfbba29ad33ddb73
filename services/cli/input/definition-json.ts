import { readFile, stat } from "node:fs/promises";
import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { type SaleDefinition, SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { CommandFailure } from "../base/cli-error.ts";

const MAX_FILE_BYTES = 1 << 20;

/**
 * Reads a sale's definition from a file of at most 1 MiB: the JSON form of `SaleDefinition`, as `sale show --json` prints it.
 *
 * @throws CommandFailure naming the file.
 */
export async function readDefinitionFile(path: string): Promise<JsonObject> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new RangeError("is larger than 1 MiB");
    return parseObject(await readFile(path, "utf8"));
  } catch (error) {
    throw new CommandFailure(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @throws CommandFailure naming the first field that is unknown or has the wrong type. */
export function parseDefinition(json: JsonObject): SaleDefinition {
  try {
    return fromJson(SaleDefinitionSchema, json);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(message.replaceAll("tidemark.commitments.v1.", ""));
  }
}

function parseObject(text: string): JsonObject {
  const value: JsonValue = JSON.parse(text, refuseInexact);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new TypeError("expected a JSON object");
}

/** A JSON reviver that refuses numbers that `JSON.parse` may have rounded. */
function refuseInexact(key: string, value: unknown): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  throw new RangeError(`${key}: expected a whole number; above 2^53 it must be in quotes`);
}
