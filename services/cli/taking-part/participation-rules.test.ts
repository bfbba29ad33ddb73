import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { GetRulesResponseSchema } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { ParticipationRulesSchema } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { rulesText } from "./participation-rules.ts";

const definition = create(SaleDefinitionSchema, {
  paymentTokens: [{ address: "0xa1", decimals: 6 }],
  paymentTokenDecimals: 6,
  offeredTokenDecimals: 18,
  priceTick: { numerator: "1", denominator: "1000000000000000" },
  pricing: { case: "auction", value: { offeredAmount: "9", floorTicks: "1", incrementTicks: "1" } },
});
const stored = create(GetRulesResponseSchema, { version: 7n, memberCount: 1_234n, unexpiredPermits: 2n });
const group = { uuid: "g", name: "Friends\u001b" };

const lines = (rules: Parameters<typeof create<typeof ParticipationRulesSchema>>[1]) =>
  rulesText(stored, create(ParticipationRulesSchema, rules), definition).split("\n");

describe("rulesText", () => {
  it("has the rules in the words of the founder's page, and the IDs of groups", () => {
    const bounds = { minAmount: "100000000", maxAmount: "5000500000", minPriceTicks: 100n, maxPriceTicks: 2_000n };
    expect(lines({ groups: [{ ...group, ...bounds }], defaultGroupUuid: "g" })).toEqual([
      "Taking part         off",
      "Who                 nobody",
      "Countries           all",
      "Wallets             one for each entity",
      "Screening           none",
      "Presence            needn’t be proved",
      "Group “Friends\ufffd”    always; 100 payment tokens to 5,000.5 payment tokens; 0.1 payment tokens per token to 2 payment tokens per token",
      "Everybody else      takes part as in “Friends\ufffd”",
      "In a permit         no further settings",
      "On the sale’s page  not shown",
      "ID of “Friends\ufffd”    g",
      "Members             1,234",
      "Deny list           0",
      "Valid permits       2",
      "Version             7",
    ]);
  });
});
