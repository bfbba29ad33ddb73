import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { type SaleDefinition, SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { CommandFailure } from "../base/cli-error.ts";

/**
 * Reads a sale's definition: the JSON form of `SaleDefinition`, as `sale show --json` prints it.
 *
 * @throws CommandFailure naming the first field that is unknown or has the wrong type.
 */
export function parseDefinition(json: JsonObject): SaleDefinition {
  try {
    return fromJson(SaleDefinitionSchema, json);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(message.replaceAll("tidemark.commitments.v1.", ""));
  }
}
