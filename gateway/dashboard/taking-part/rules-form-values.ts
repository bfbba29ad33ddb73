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
import { pageLanguage } from "../../web/texts/page-language.ts";
import { type FormValues, fieldAt, firstValues, formAt, formValues } from "../base/form-table.ts";
import { utcEntry } from "../base/utc-entry.ts";
import { GROUP_TABLE, type GroupEntry, RULES_TABLE } from "./rules-table.ts";

/** The form of a sale's rules as entered. */
export interface RulesFormValues extends FormValues<typeof RULES_TABLE> {
  readonly groups: readonly GroupEntry[];
}

/** Bound of the contract. */
export const MAX_GROUPS = 50;

/** Name of the field with the number of groups. */
export const GROUP_COUNT = "groups";

/** Name of the field that says that the form has the box `onSalePage`: of an older page, which lacks the box, it changes nothing. */
export const ASKS_ON_SALE_PAGE = "asks_on_sale_page";

/** Reads a form. @param stored the rules as they are now @throws PageError 400 where a field was sent twice */
export function rulesFormValuesOf(form: PageForm, stored: Pick<ParticipationRules, "onSalePage">): RulesFormValues {
  const count = Math.min(Number(/^\d{1,2}$/.exec(form.text(GROUP_COUNT))?.[0] ?? "0"), MAX_GROUPS);
  const values = formValues(RULES_TABLE, form);
  const groups = Array.from({ length: count }, (_, index) => {
    const group = formValues(GROUP_TABLE, formAt(form, index));
    return { ...group, uuid: parseUuid(group.uuid) ?? randomUUID() };
  });
  const { onSalePage } = form.has(ASKS_ON_SALE_PAGE) ? values : stored;
  return { ...values, onSalePage, defaultGroup: parseUuid(values.defaultGroup) ?? "", groups };
}

/** Returns the form's values that mean a sale's rules. */
export function formValuesOfRules(rules: ParticipationRules, units: SaleUnits): RulesFormValues {
  const { wallets, entityTypes } = rules;
  return {
    enabled: rules.enabled,
    countryRule: rules.countryRule === CountryRule.ONLY_LISTED ? "only_listed" : "all_but_listed",
    countries: rules.countries.map((code) => countryName(code, pageLanguage())).join(", "),
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
    onSalePage: rules.onSalePage,
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
export function withAnotherGroup(values: RulesFormValues): {
  readonly formValues: RulesFormValues;
  readonly focus?: string;
} {
  const { groups } = values;
  if (groups.length >= MAX_GROUPS) return { formValues: values };
  const another = { ...firstValues(GROUP_TABLE), uuid: randomUUID() };
  return { formValues: { ...values, groups: [...groups, another] }, focus: fieldAt(GROUP_TABLE.name, groups.length) };
}

/** Removes a group. @returns also the element to go on at */
export function withoutGroup(
  values: RulesFormValues,
  index: number,
): { readonly formValues: RulesFormValues; readonly focus: string } {
  const removed = values.groups[index];
  const groups = values.groups.filter((group) => group !== removed);
  const defaultGroup = values.defaultGroup === removed?.uuid ? "" : values.defaultGroup;
  return { formValues: { ...values, groups, defaultGroup }, focus: "add-group" };
}
