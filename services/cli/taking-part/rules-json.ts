import { fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import {
  type ParticipationRules,
  ParticipationRulesSchema,
} from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { CommandFailure } from "../base/cli-error.ts";
import { isJsonObject } from "../input/json-file.ts";

/** The JSON form of rules, which `parseRules` reads back. */
export function rulesJson(rules: ParticipationRules): JsonObject {
  return toJson(ParticipationRulesSchema, rules, { alwaysEmitImplicit: true }) as JsonObject;
}

/**
 * Reads rules: their JSON form, or an object that has it as `rules`, as `rules show --json` prints it.
 *
 * @throws CommandFailure naming the first field that is unknown or has the wrong type
 */
export function parseRules(json: JsonObject): ParticipationRules {
  const { rules } = json;
  try {
    return fromJson(ParticipationRulesSchema, isJsonObject(rules) ? rules : json);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(message.replaceAll("tidemark.entities.v1.", ""));
  }
}
