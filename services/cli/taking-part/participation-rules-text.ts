import { countText } from "../../../common/sale/words/number-text.ts";
import { rulesLines } from "../../../common/sale/words/rules-lines.ts";
import { saleUnits } from "../../../common/sale/words/sale-units.ts";
import type { SaleDefinition } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { GetRulesResponse } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { ParticipationRules } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { alignColumns } from "../output/align-columns.ts";
import { lineRow } from "../output/line-row.ts";
import { terminalText } from "../output/terminal-text.ts";

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
