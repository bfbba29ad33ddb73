import { randomUUID } from "node:crypto";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import { countryName } from "../../../common/platform/names/country-name.ts";
import { amountEntry, priceEntry, type SaleUnits } from "../../../common/sale/words/sale-units.ts";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  type ParticipationGroup,
  type ParticipationRules,
  PermitPayload,
  ScreeningFailure,
} from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import { utcEntry } from "../base/utc-entry.ts";

/** A group as entered. */
export interface GroupEntry {
  readonly uuid: string;
  readonly name: string;
  readonly opens: string;
  readonly closes: string;
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly minPrice: string;
  readonly maxPrice: string;
  readonly lockup: boolean;
  readonly priority: string;
}

/** The form of a sale's rules as entered. */
export interface RulesFormValues {
  readonly enabled: boolean;
  /** `all_but_listed` or `only_listed`. */
  readonly countryRule: string;
  readonly countries: string;
  readonly persons: boolean;
  readonly organizations: boolean;
  readonly maxWallets: string;
  readonly linking: boolean;
  readonly denyList: boolean;
  readonly screenerUrl: string;
  /** `closed` or `open`. */
  readonly onScreeningFailure: string;
  readonly liveness: boolean;
  /** `none` or `settlement`. */
  readonly payload: string;
  readonly bidsWithoutPrice: boolean;
  readonly groups: readonly GroupEntry[];
  /** UUID of the group of everybody else; empty: only members may take part. */
  readonly defaultGroup: string;
}

/** Bound of the contract. */
export const MAX_GROUPS = 50;

/** Name of the field with the number of groups. */
export const GROUP_COUNT = "groups";

/** Names and IDs of a group's fields, by its index. */
export function groupFields(index: number) {
  return {
    uuid: `group_uuid_${index}`,
    name: `group_name_${index}`,
    opens: `group_opens_${index}`,
    closes: `group_closes_${index}`,
    minAmount: `group_min_amount_${index}`,
    maxAmount: `group_max_amount_${index}`,
    minPrice: `group_min_price_${index}`,
    maxPrice: `group_max_price_${index}`,
    lockup: `group_lockup_${index}`,
    priority: `group_priority_${index}`,
  };
}

/** Reads a form. @throws PageError 400 where a field was sent twice */
export function rulesFormValuesOf(form: PageForm): RulesFormValues {
  const count = Math.min(Number(/^\d{1,2}$/.exec(form.text(GROUP_COUNT))?.[0] ?? "0"), MAX_GROUPS);
  const ticked = (name: string) => form.text(name) === "yes";
  return {
    enabled: ticked("enabled"),
    countryRule: form.text("country_rule"),
    countries: form.text("countries"),
    persons: ticked("persons"),
    organizations: ticked("organizations"),
    maxWallets: form.text("max_wallets").trim(),
    linking: ticked("linking"),
    denyList: ticked("deny_list"),
    screenerUrl: form.text("screener_url").trim(),
    onScreeningFailure: form.text("on_screening_failure"),
    liveness: ticked("liveness"),
    payload: form.text("payload"),
    bidsWithoutPrice: ticked("bids_without_price"),
    groups: Array.from({ length: count }, (_, index) => groupEntryOf(form, index)),
    defaultGroup: parseUuid(form.text("default_group")) ?? "",
  };
}

function groupEntryOf(form: PageForm, index: number): GroupEntry {
  const names = groupFields(index);
  return {
    uuid: parseUuid(form.text(names.uuid)) ?? randomUUID(),
    name: form.text(names.name).trim(),
    opens: form.text(names.opens).trim(),
    closes: form.text(names.closes).trim(),
    minAmount: form.text(names.minAmount).trim(),
    maxAmount: form.text(names.maxAmount).trim(),
    minPrice: form.text(names.minPrice).trim(),
    maxPrice: form.text(names.maxPrice).trim(),
    lockup: form.text(names.lockup) === "yes",
    priority: form.text(names.priority).trim(),
  };
}

/** Returns the form's values that mean a sale's rules. */
export function formValuesOfRules(rules: ParticipationRules, units: SaleUnits): RulesFormValues {
  const { wallets, entityTypes } = rules;
  return {
    enabled: rules.enabled,
    countryRule: rules.countryRule === CountryRule.ONLY_LISTED ? "only_listed" : "all_but_listed",
    countries: rules.countries.map((code) => countryName(code)).join(", "),
    persons: entityTypes.includes(EntityType.PERSON),
    organizations: entityTypes.includes(EntityType.ORGANIZATION),
    maxWallets: String(wallets?.maxWalletsPerEntity ?? 1),
    linking: wallets?.linkingRequired ?? false,
    denyList: wallets?.denyList ?? true,
    screenerUrl: wallets?.screenerUrl ?? "",
    onScreeningFailure: wallets?.onScreeningFailure === ScreeningFailure.OPEN ? "open" : "closed",
    liveness: rules.livenessRequired,
    payload: rules.payload === PermitPayload.SETTLEMENT ? "settlement" : "none",
    bidsWithoutPrice: rules.bidsWithoutPrice,
    groups: rules.groups.map((group) => entryOfGroup(group, units)),
    defaultGroup: rules.defaultGroupUuid,
  };
}

function entryOfGroup(group: ParticipationGroup, units: SaleUnits): GroupEntry {
  const bound = (value: bigint, text: (value: bigint) => string) => (value === 0n ? "" : text(value));
  const price = (ticks: bigint) => priceEntry(units, ticks);
  return {
    uuid: group.uuid,
    name: group.name,
    opens: bound(group.opensAt, utcEntry),
    closes: bound(group.closesAt, utcEntry),
    minAmount: bound(BigInt(group.minAmount), (amount) => amountEntry(units, amount)),
    maxAmount: group.maxAmount === "" ? "" : amountEntry(units, BigInt(group.maxAmount)),
    minPrice: bound(group.minPriceTicks, price),
    maxPrice: bound(group.maxPriceTicks, price),
    lockup: group.forcedLockup,
    priority: group.priority === 0 ? "" : String(group.priority),
  };
}

/** Adds an empty group. @returns also the field to fill next */
export function withAnotherGroup(formValues: RulesFormValues): {
  readonly formValues: RulesFormValues;
  readonly focus?: string;
} {
  const { groups } = formValues;
  if (groups.length >= MAX_GROUPS) return { formValues };
  const another: GroupEntry = {
    uuid: randomUUID(),
    name: "",
    opens: "",
    closes: "",
    minAmount: "",
    maxAmount: "",
    minPrice: "",
    maxPrice: "",
    lockup: false,
    priority: "",
  };
  return { formValues: { ...formValues, groups: [...groups, another] }, focus: groupFields(groups.length).name };
}

/** Removes a group. @returns also the element to go on at */
export function withoutGroup(
  formValues: RulesFormValues,
  index: number,
): { readonly formValues: RulesFormValues; readonly focus: string } {
  const removed = formValues.groups[index];
  const groups = formValues.groups.filter((group) => group !== removed);
  const defaultGroup = formValues.defaultGroup === removed?.uuid ? "" : formValues.defaultGroup;
  return { formValues: { ...formValues, groups, defaultGroup }, focus: "add-group" };
}
