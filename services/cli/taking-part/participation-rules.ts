import { type JsonObject, toJson } from "@bufbuild/protobuf";
import { countText } from "../../../common/sale/words/number-text.ts";
import { rulesLines } from "../../../common/sale/words/rules-lines.ts";
import { saleUnits } from "../../../common/sale/words/sale-units.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { GetRulesResponse } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import {
  type ParticipationRules,
  ParticipationRulesSchema,
} from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { EXPECTED_VERSION_OPTION, expectedVersion } from "../input/expected-version.ts";
import { isJsonObject, messageOfJson, readJsonFile } from "../input/json-file.ts";
import { alignColumns } from "../output/align-columns.ts";
import { lineRow } from "../output/line-row.ts";
import { terminalText } from "../output/terminal-text.ts";
import { write } from "../output/write.ts";
import { unexpiredText } from "./permit-text.ts";
import { readTakingPart } from "./read-taking-part.ts";

export const rulesShow: Command = {
  name: "rules show",
  positionals: ["SALE-UUID"],
  summary: "show who may take part in a sale, when, and with how much",
  options: { json: { type: "boolean", help: "as JSON, whose `rules` are what `rules set` reads" } },
  async run(input, context) {
    const [saleUuid = ""] = input.positionals;
    const { definition, rules, stored } = await readTakingPart(context, saleUuid);
    const json = () => ({
      rules: rulesJson(rules),
      version: stored.version.toString(),
      unexpiredPermits: stored.unexpiredPermits.toString(),
      memberCount: stored.memberCount.toString(),
      denyListCount: stored.denyListCount.toString(),
    });
    const text = input.flag("json") ? JSON.stringify(json(), null, 2) : rulesText(stored, rules, definition);
    await write(context.output, `${text}\n`);
  },
};

export const rulesOn: Command = {
  name: "rules on",
  positionals: ["SALE-UUID"],
  summary: "let people take part in a sale by its rules: permits are issued",
  details: "An open sale needs an active key that signs permits: see `permit-key list`.",
  options: EXPECTED_VERSION_OPTION,
  flags: { expected_version: ["expected-version"] },
  run: (input, context) => change(input, context, (rules) => ({ ...rules, enabled: true })),
};

export const rulesOff: Command = {
  name: "rules off",
  positionals: ["SALE-UUID"],
  summary: "issue no more permits of a sale",
  details: "Permits that were issued stay valid for the rest of their ten minutes.",
  options: EXPECTED_VERSION_OPTION,
  flags: { expected_version: ["expected-version"] },
  run: (input, context) => change(input, context, (rules) => ({ ...rules, enabled: false })),
};

export const rulesSet: Command = {
  name: "rules set",
  positionals: ["SALE-UUID", "FILE"],
  summary: "replace the rules of a sale",
  details: `FILE holds what \`rules show --json\` prints, or only its \`rules\`: amounts are in the payment token's smallest units, prices
in ticks, and times in seconds since 1970. Permits that were issued stay valid for the rest of their ten minutes.`,
  options: EXPECTED_VERSION_OPTION,
  flags: { expected_version: ["expected-version"] },
  async run(input, context) {
    const [, path = ""] = input.positionals;
    const rules = parseRules(await readJsonFile(path));
    await change(input, context, () => rules);
  },
};

async function change(
  input: CommandInput,
  context: CliContext,
  changed: (rules: ParticipationRules) => ParticipationRules,
): Promise<void> {
  const [saleUuid = ""] = input.positionals;
  const given = expectedVersion(input);
  const { eligibility, output, signal } = context;
  const { rules, stored } = await readTakingPart(context, saleUuid);
  const request = { saleUuid, rules: changed(rules), expectedVersion: given ?? stored.version };
  const { version, unexpiredPermits } = await eligibility.updateRules(request, { signal });
  const state = request.rules.enabled ? "on" : "off";
  await write(output, `taking part is ${state}; version ${version}; ${unexpiredText(unexpiredPermits)}\n`);
}

/** The JSON form of rules, which `parseRules` reads back. */
function rulesJson(rules: ParticipationRules): JsonObject {
  return toJson(ParticipationRulesSchema, rules, { alwaysEmitImplicit: true }) as JsonObject;
}

/**
 * Reads rules: their JSON form, or an object that has it as `rules`, as `rules show --json` prints it.
 *
 * @throws CommandFailure
 */
function parseRules(json: JsonObject): ParticipationRules {
  const { rules } = json;
  return messageOfJson(ParticipationRulesSchema, isJsonObject(rules) ? rules : json);
}

type Row = readonly [string, string];

/** The rules of taking part in a sale, one per line. */
export function rulesText(stored: GetRulesResponse, rules: ParticipationRules, definition: SaleDefinition): string {
  const rows: Row[] = [
    ["Taking part", rules.enabled ? "on" : "off"],
    ...rulesLines(rules, saleUnits(definition)).map(lineRow),
    ...rules.groups.map(({ name, uuid }): Row => [`ID of “${terminalText(name)}”`, uuid]),
    ["Members", countText(stored.memberCount)],
    ["Deny list", countText(stored.denyListCount)],
    ["Valid permits", countText(stored.unexpiredPermits)],
    ["Version", stored.version.toString()],
  ];
  return alignColumns(rows);
}
