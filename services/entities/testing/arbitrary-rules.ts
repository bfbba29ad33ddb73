import fc from "fast-check";
import type { ParticipationGroup, ParticipationRules, WalletRules } from "../rules/participation-rules.ts";

/** A few groups' UUIDs, so that members and default groups often name one that is there. */
export const GROUP_UUIDS = ["1", "2", "3", "4"].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
/** A few countries, so that rules often name that of an entity. */
export const COUNTRIES = ["DE", "US", "FR"];

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
/** Amounts that are often near to each other. */
const amount = fc.oneof(fc.bigInt({ min: 0n, max: 9n }), uint256);
const ticks = fc.oneof(fc.bigInt({ min: 0n, max: 9n }), fc.bigInt({ min: 0n, max: 2n ** 53n - 1n }));

/** A group that the service accepts. Times are from 0 to 10. */
export function arbitraryGroup(uuid: fc.Arbitrary<string>): fc.Arbitrary<ParticipationGroup> {
  const always = fc.record({
    uuid,
    name: fc.string({ minLength: 1, maxLength: 20 }),
    opensAt: fc.bigInt({ min: 0n, max: 9n }),
    minAmount: amount,
    minPriceTicks: ticks,
    forcedLockup: fc.boolean(),
    priority: fc.integer({ min: 0, max: 2 }),
  });
  const sometimes = fc.record(
    { closesAt: fc.bigInt({ min: 1n, max: 10n }), maxAmount: amount, maxPriceTicks: ticks },
    { requiredKeys: [] },
  );
  return fc
    .tuple(always, sometimes)
    .map(([required, optional]): ParticipationGroup => ({ ...required, ...optional }))
    .filter(hasOrderedBounds);
}

function hasOrderedBounds(group: ParticipationGroup): boolean {
  const { opensAt, closesAt, minAmount, maxAmount, minPriceTicks, maxPriceTicks } = group;
  const isClosed = closesAt !== undefined && closesAt <= opensAt;
  const areAmountsWrong = maxAmount !== undefined && maxAmount < minAmount;
  return !isClosed && !areAmountsWrong && !(maxPriceTicks !== undefined && maxPriceTicks < minPriceTicks);
}

/** Records with a prototype, as JSON has them. */
const record = <Fields>(fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }) =>
  fc.record(fields, { noNullPrototype: true });

const wallets: fc.Arbitrary<WalletRules> = record({
  maxWalletsPerEntity: fc.integer({ min: 1, max: 255 }),
  linkingRequired: fc.boolean(),
  denyList: fc.boolean(),
  screenerUrl: fc.constantFrom("", "https://screener.example/v1"),
  onScreeningFailure: fc.constantFrom("closed", "open"),
} as const);

/** Rules that the service accepts, but for a default group that may not be there. */
export const arbitraryRules: fc.Arbitrary<ParticipationRules> = fc
  .tuple(
    fc.record({
      enabled: fc.boolean(),
      countryRule: fc.constantFrom("all_but_listed", "only_listed"),
      countries: fc.subarray(COUNTRIES),
      entityTypes: fc.subarray(["person", "organization"] as const, { minLength: 1 }),
      groups: fc.uniqueArray(arbitraryGroup(fc.constantFrom(...GROUP_UUIDS)), { selector: ({ uuid }) => uuid }),
      wallets,
      livenessRequired: fc.boolean(),
      payload: fc.constantFrom("none", "settlement"),
      bidsWithoutPrice: fc.boolean(),
      onSalePage: fc.boolean(),
    }),
    fc.record({ defaultGroupUuid: fc.constantFrom(...GROUP_UUIDS) }, { requiredKeys: [] }),
  )
  .map(([required, optional]) => ({ ...required, ...optional }) as ParticipationRules);
