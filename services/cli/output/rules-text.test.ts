import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { GetRulesResponseSchema } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  ParticipationRulesSchema,
  PermitPayload,
  ScreeningFailure,
} from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { rulesText } from "./rules-text.ts";

const definition = create(SaleDefinitionSchema, {
  paymentTokens: [{ address: "0xa1", decimals: 6 }],
  paymentTokenDecimals: 6,
  offeredTokenDecimals: 18,
  priceTick: { numerator: "1", denominator: "1000000000000000" },
  pricing: { case: "auction", value: { offeredAmount: "9", floorTicks: 1n, incrementTicks: 1n } },
});
const stored = create(GetRulesResponseSchema, { version: 7n, memberCount: 1_234n, unexpiredPermits: 2n });
const group = { uuid: "g", name: "Friends\u001b", minAmount: "0" };

const lines = (rules: Parameters<typeof create<typeof ParticipationRulesSchema>>[1]) =>
  rulesText(stored, create(ParticipationRulesSchema, rules), definition).split("\n");

describe("rulesText", () => {
  it("has amounts and prices in whole tokens, and times in UTC", () => {
    const full = { ...group, opensAt: 1_772_366_400n, closesAt: 1_772_370_000n, minAmount: "100000000" };
    const bounds = { maxAmount: "5000500000", minPriceTicks: 100n, maxPriceTicks: 2_000n, forcedLockup: true };
    expect(lines({ groups: [{ ...full, ...bounds, priority: 3 }], defaultGroupUuid: "g" })).toEqual(
      expect.arrayContaining([
        "Group           Friends\ufffd (g); from 2026-03-01T12:00:00Z until 2026-03-01T13:00:00Z; at least 100 at most 5,000.5; " +
          "bids from 0.1 per token up to 2 per token; with lockup; priority 3",
        "Everybody else  is in Friends\ufffd",
        "Members         1,234",
        "Valid permits   2",
        "Version         7",
      ]),
    );
  });

  it("says what has no bound", () => {
    expect(lines({ groups: [group] })).toEqual(
      expect.arrayContaining([
        "Taking part     off",
        "Countries       all",
        "Screening       none",
        "Group           Friends\ufffd (g); always open; any amount; priority 0",
        "Everybody else  may not take part",
      ]),
    );
  });

  it("takes a greatest amount of 0 for a bound", () => {
    expect(lines({ groups: [{ ...group, maxAmount: "0" }] }).join("\n")).toContain("; at most 0; ");
  });

  it("has time windows that no date can hold", () => {
    expect(lines({ groups: [{ ...group, closesAt: 2n ** 53n - 1n }] }).join("\n")).toContain(
      "; until second 9007199254740991; ",
    );
  });

  it("names types, countries, wallets and screening", () => {
    const wallets = { maxWalletsPerEntity: 3, linkingRequired: true, denyList: true, screenerUrl: "https://s.example" };
    const rules = {
      enabled: true,
      entityTypes: [EntityType.PERSON, EntityType.ORGANIZATION],
      countryRule: CountryRule.ONLY_LISTED,
      countries: ["DE", "FR"],
      wallets: { ...wallets, onScreeningFailure: ScreeningFailure.CLOSED },
      payload: PermitPayload.SETTLEMENT,
      livenessRequired: true,
    };
    expect(lines(rules)).toEqual(
      expect.arrayContaining([
        "Taking part     on",
        "Who             person, organization",
        "Countries       only DE, FR",
        "Wallets         at most 3 for each entity, linked by a signature",
        "Screening       deny list, https://s.example (no wallet passes while it doesn't answer)",
        "Presence        is proved before the first permit",
        "Payload         settlement",
      ]),
    );
  });
});
