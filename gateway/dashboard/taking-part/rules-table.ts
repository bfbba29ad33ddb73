import { fill } from "../../../common/platform/language/message.ts";
import { contractErrorField, type FormTable, type FormValues, fieldAt, rowOfContract } from "../base/form-table.ts";
import { texts } from "../base/texts.ts";

/** The fields of the form of a sale's rules. `contract` has paths of fields of `ParticipationRules`. */
export const RULES_TABLE = {
  enabled: {
    field: "enabled",
    kind: "ticked",
    get label() {
      return texts().rules.enabled;
    },
    get hint() {
      return texts().rules.enabledHint;
    },
    contract: ["enabled"],
  },
  onSalePage: {
    field: "on_sale_page",
    kind: "ticked",
    get label() {
      return texts().rules.onSalePage;
    },
    get hint() {
      return texts().rules.onSalePageHint;
    },
    contract: ["on_sale_page"],
  },
  countryRule: {
    field: "country_rule",
    id: "country-all-but",
    kind: "chosen",
    first: "all_but_listed",
    get label() {
      return texts().rules.countryRule;
    },
    get choices() {
      const { allBut, only } = texts().rules;
      return [
        { id: "country-all-but", value: "all_but_listed", label: allBut },
        { id: "country-only", value: "only_listed", label: only },
      ];
    },
    contract: ["country_rule"],
  },
  countries: {
    field: "countries",
    kind: "exact",
    get label() {
      return texts().rules.countries;
    },
    get hint() {
      return texts().rules.countriesHint;
    },
    contract: ["countries"],
  },
  /** Errors about the kinds lead to the first of them. */
  persons: {
    field: "persons",
    kind: "ticked",
    get label() {
      return texts().rules.title;
    },
    contract: ["entity_types"],
  },
  organizations: { field: "organizations", kind: "ticked" },
  maxWallets: {
    field: "max_wallets",
    kind: "trimmed",
    get label() {
      return texts().rules.maxWallets;
    },
    get hint() {
      return texts().rules.maxWalletsHint;
    },
    contract: ["wallets.max_wallets_per_entity"],
  },
  linking: {
    field: "linking",
    kind: "ticked",
    get label() {
      return texts().rules.linking;
    },
    get hint() {
      return texts().rules.linkingHint;
    },
    contract: ["wallets.linking_required"],
  },
  denyList: {
    field: "deny_list",
    kind: "ticked",
    get label() {
      return texts().rules.denyList;
    },
    contract: ["wallets.deny_list"],
  },
  screenerUrl: {
    field: "screener_url",
    kind: "trimmed",
    get label() {
      return texts().rules.screenerUrl;
    },
    get hint() {
      return texts().rules.screenerUrlHint;
    },
    contract: ["wallets.screener_url"],
  },
  onScreeningFailure: {
    field: "on_screening_failure",
    id: "screening-closed",
    kind: "chosen",
    first: "closed",
    get label() {
      return texts().rules.onScreeningFailure;
    },
    get choices() {
      const { screeningClosed, screeningOpen } = texts().rules;
      return [
        { id: "screening-closed", value: "closed", label: screeningClosed },
        { id: "screening-open", value: "open", label: screeningOpen },
      ];
    },
    contract: ["wallets.on_screening_failure"],
  },
  liveness: {
    field: "liveness",
    kind: "ticked",
    get label() {
      return texts().rules.liveness;
    },
    get hint() {
      return texts().rules.livenessHint;
    },
    contract: ["liveness_required"],
  },
  payload: {
    field: "payload",
    id: "payload-none",
    kind: "chosen",
    first: "none",
    get label() {
      return texts().rules.payload;
    },
    get choices() {
      const { payloadSettlement, payloadSettlementHint, payloadNone, payloadNoneHint } = texts().rules;
      return [
        { id: "payload-settlement", value: "settlement", label: payloadSettlement, hint: payloadSettlementHint },
        { id: "payload-none", value: "none", label: payloadNone, hint: payloadNoneHint },
      ];
    },
    contract: ["payload"],
  },
  bidsWithoutPrice: {
    field: "bids_without_price",
    kind: "ticked",
    get label() {
      return texts().rules.bidsWithoutPrice;
    },
    get hint() {
      return texts().rules.bidsWithoutPriceHint;
    },
    contract: ["bids_without_price"],
  },
  /** UUID of the group of everybody else; empty: only members may take part. */
  defaultGroup: {
    field: "default_group",
    id: "default-none",
    kind: "exact",
    get label() {
      return texts().rules.defaultGroup;
    },
    contract: ["default_group_uuid"],
  },
} as const satisfies FormTable;

/** The fields of a group, each of which the form has once a group. `contract` has names of fields of `ParticipationGroup`. */
export const GROUP_TABLE = {
  uuid: { field: "group_uuid", kind: "exact" },
  name: {
    field: "group_name",
    kind: "trimmed",
    get label() {
      return texts().groupForm.name;
    },
    get hint() {
      return texts().groupForm.nameHint;
    },
    contract: ["name"],
  },
  opens: {
    field: "group_opens",
    kind: "trimmed",
    get label() {
      return texts().groupForm.opens;
    },
    get hint() {
      return texts().groupForm.opensHint;
    },
    contract: ["opens_at"],
  },
  closes: {
    field: "group_closes",
    kind: "trimmed",
    get label() {
      return texts().groupForm.closes;
    },
    get hint() {
      return texts().groupForm.closesHint;
    },
    contract: ["closes_at"],
  },
  minAmount: {
    field: "group_min_amount",
    kind: "trimmed",
    get label() {
      return texts().groupForm.minAmount;
    },
    contract: ["min_amount"],
  },
  maxAmount: {
    field: "group_max_amount",
    kind: "trimmed",
    get label() {
      return texts().groupForm.maxAmount;
    },
    contract: ["max_amount"],
  },
  minPrice: {
    field: "group_min_price",
    kind: "trimmed",
    get label() {
      return texts().groupForm.minPrice;
    },
    contract: ["min_price_ticks"],
  },
  maxPrice: {
    field: "group_max_price",
    kind: "trimmed",
    get label() {
      return texts().groupForm.maxPrice;
    },
    contract: ["max_price_ticks"],
  },
  lockup: {
    field: "group_lockup",
    kind: "ticked",
    get label() {
      return texts().groupForm.lockup;
    },
    contract: ["forced_lockup"],
  },
  priority: {
    field: "group_priority",
    kind: "trimmed",
    get label() {
      return texts().groupForm.priority;
    },
    get hint() {
      return texts().groupForm.priorityHint;
    },
    contract: ["priority"],
  },
} as const satisfies FormTable;

/** A group as entered. */
export type GroupEntry = FormValues<typeof GROUP_TABLE>;

/** The fields of a group that have a label. */
export type GroupField = Exclude<keyof GroupEntry, "uuid">;

/** The groups as a whole, for errors: about their number, for one. */
const GROUPS = {
  field: "add-group",
  get label() {
    return texts().rules.groups;
  },
};

/** Returns the label of a group's field that also names the group. */
export function groupLabel(field: GroupField, name: string | undefined, index: number): string {
  return labelOf(GROUP_TABLE[field].label, name, index);
}

/** Returns a group's name, or its number while it has none. */
export function groupTitle(name: string | undefined, index: number): string {
  const { named, numbered } = texts().groupForm;
  return name?.trim() ? fill(named, { name: name.trim() }) : fill(numbered, { number: String(index + 1) });
}

function labelOf(field: string, name: string | undefined, index: number): string {
  return fill(texts().groupForm.fieldOf, { field, group: groupTitle(name, index) });
}

/** Returns the form's field for a field of `UpdateRulesRequest`, such as `rules.groups[0].closes_at`. */
export function fieldOfRules(
  contractField: string,
  groups: readonly GroupEntry[],
): { readonly field: string; readonly label: string } | undefined {
  const path = contractField.replace(/^rules\./, "");
  const [, item, part = "name"] = /^groups\[(\d+)\](?:\.(\w+))?/.exec(path) ?? [];
  if (item !== undefined) {
    const index = Number(item);
    const row = rowOfContract(GROUP_TABLE, part) ?? GROUP_TABLE.name;
    return { field: fieldAt(row, index), label: labelOf(row.label ?? "", groups[index]?.name, index) };
  }
  const whole = path.replace(/\[\d+\]$/, "");
  return whole === "groups" ? GROUPS : contractErrorField(RULES_TABLE, whole);
}
