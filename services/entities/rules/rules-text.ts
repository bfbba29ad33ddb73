import type { ParticipationGroup, ParticipationRules } from "./participation-rules.ts";

type StoredGroup = {
  readonly [Field in keyof ParticipationGroup]: ParticipationGroup[Field] extends bigint | undefined
    ? string
    : ParticipationGroup[Field];
};

/** Writes rules as JSON for the store, their integers as text, because a JSON number isn't exact. */
export function rulesText(rules: ParticipationRules): string {
  return JSON.stringify(rules, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
}

/** Reads what `rulesText` wrote. */
export function rulesOfText(text: string): ParticipationRules {
  const { groups, ...others } = JSON.parse(text) as Omit<ParticipationRules, "groups"> & {
    readonly groups: readonly StoredGroup[];
  };
  return { ...others, groups: groups.map(groupOf) };
}

function groupOf(stored: StoredGroup): ParticipationGroup {
  const { opensAt, closesAt, minAmount, maxAmount, minPriceTicks, maxPriceTicks, ...others } = stored;
  return {
    ...others,
    opensAt: BigInt(opensAt),
    ...(closesAt !== undefined && { closesAt: BigInt(closesAt) }),
    minAmount: BigInt(minAmount),
    ...(maxAmount !== undefined && { maxAmount: BigInt(maxAmount) }),
    minPriceTicks: BigInt(minPriceTicks),
    ...(maxPriceTicks !== undefined && { maxPriceTicks: BigInt(maxPriceTicks) }),
  };
}
