import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COUNTRY_CODES } from "../../../common/platform/names/country.ts";
import { saleUnits } from "../../../common/sale/words/sale-units.ts";
import { SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  ParticipationRulesSchema,
  PermitPayload,
  ScreeningFailure,
} from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { usdx } from "../../../test/support/sales/sale-messages.ts";
import { harbourAuction } from "../../testing/founder-site.ts";
import { readRules } from "./read-rules.ts";
import { formValuesOfRules, withAnotherGroup } from "./rules-form-values.ts";
import { fieldOfRules } from "./rules-table.ts";

const MAX_INTEGER = 2n ** 53n - 1n;

function unitsOf(decimals: number, priceTick: { numerator: string; denominator: string }) {
  const paymentTokens = [{ ...usdx, symbol: "USDC", decimals }];
  const definition = harbourAuction({ paymentTokens, paymentTokenDecimals: decimals, priceTick });
  return saleUnits(create(SaleDefinitionSchema, definition));
}

const arbitraryUnits = fc
  .record({
    decimals: fc.nat({ max: 36 }),
    numerator: fc.bigInt({ min: 1n, max: 10n ** 20n }).map(String),
    denominator: fc.bigInt({ min: 1n, max: 10n ** 20n }).map(String),
  })
  .map(({ decimals, ...tick }) => unitsOf(decimals, tick));

const integer = fc.bigInt({ min: 0n, max: MAX_INTEGER });
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

const arbitraryGroup = fc.record({
  uuid: fc.uuid(),
  name: fc.string({ minLength: 1, maxLength: 100 }).filter((name) => name.trim() !== ""),
  opensAt: integer,
  closesAt: integer,
  minAmount: amount.map(String),
  maxAmount: fc.option(amount.map(String), { nil: "" }),
  minPriceTicks: integer,
  maxPriceTicks: integer,
  forcedLockup: fc.boolean(),
  priority: fc.nat({ max: 1_000 }),
});

const arbitraryRules = fc
  .record({
    enabled: fc.boolean(),
    countryRule: fc.constantFrom<CountryRule[]>(CountryRule.ALL_BUT_LISTED, CountryRule.ONLY_LISTED),
    countries: fc.subarray([...COUNTRY_CODES]),
    entityTypes: fc.constantFrom<EntityType[][]>(
      [EntityType.PERSON],
      [EntityType.ORGANIZATION],
      [EntityType.PERSON, EntityType.ORGANIZATION],
    ),
    groups: fc.uniqueArray(arbitraryGroup, { maxLength: 4, selector: ({ uuid }) => uuid }),
    isOpen: fc.boolean(),
    wallets: fc.record({
      maxWalletsPerEntity: fc.integer({ min: 1, max: 255 }),
      linkingRequired: fc.boolean(),
      denyList: fc.boolean(),
      screenerUrl: fc.webUrl(),
      onScreeningFailure: fc.constantFrom<ScreeningFailure[]>(ScreeningFailure.CLOSED, ScreeningFailure.OPEN),
    }),
    livenessRequired: fc.boolean(),
    payload: fc.constantFrom<PermitPayload[]>(PermitPayload.NONE, PermitPayload.SETTLEMENT),
    bidsWithoutPrice: fc.boolean(),
    onSalePage: fc.boolean(),
  })
  .map(({ isOpen, ...rules }) =>
    create(ParticipationRulesSchema, { ...rules, defaultGroupUuid: isOpen ? (rules.groups[0]?.uuid ?? "") : "" }),
  );

describe("readRules", () => {
  it("reads every rule back from the entries that mean it, whatever the decimals and the tick", () => {
    fc.assert(
      fc.property(arbitraryRules, arbitraryUnits, (rules, units) => {
        const read = readRules(formValuesOfRules(rules, units), units);
        expect(read.errors).toEqual([]);
        expect(create(ParticipationRulesSchema, read.rules)).toEqual(rules);
      }),
    );
  });

  it("refuses what a permit can't hold", () => {
    const units = unitsOf(6, { numerator: "1", denominator: "100000000000000" });
    const { formValues } = withAnotherGroup(
      formValuesOfRules(create(ParticipationRulesSchema, { entityTypes: [EntityType.PERSON] }), units),
    );
    const [group] = formValues.groups;
    if (group === undefined) throw new Error("there is no group");
    const wrong = {
      ...group,
      name: "A",
      maxPrice: "90071992547409.92",
      maxAmount: `${2n ** 256n}`,
      closes: "@9007199254740992",
    };
    const { errors } = readRules({ ...formValues, groups: [wrong] }, units);
    expect(errors.map(({ text }) => text)).toEqual([
      "Choose a time after 1970",
      "This is more than a contract can count",
      "This is more price ticks than a permit can hold",
    ]);
  });
});

describe("fieldOfRules", () => {
  it.each([
    ["rules.countries[3]", "countries"],
    ["rules.entity_types", "persons"],
    ["rules.groups", "add-group"],
    ["rules.groups[2]", "group_name_2"],
    ["rules.groups[2].max_price_ticks", "group_max_price_2"],
    ["rules.wallets.max_wallets_per_entity", "max_wallets"],
    ["rules.default_group_uuid", "default-none"],
  ])("finds the field of %s", (contractField, field) => {
    expect(fieldOfRules(contractField, [])).toMatchObject({ field });
  });

  it("knows no field for what the form doesn't have", () => {
    expect(fieldOfRules("sale_uuid", [])).toBeUndefined();
  });
});
