import { contractErrorField, type FormTable, type FormValues, fieldAt, rowOfContract } from "../base/form-table.ts";

/** The fields of the form of a sale's rules. `contract` has paths of fields of `ParticipationRules`. */
export const RULES_TABLE = {
  enabled: {
    field: "enabled",
    kind: "ticked",
    label: "Taking part is on",
    hint: "Permits are issued while the sale is open. An open sale needs a signer for this.",
    contract: ["enabled"],
  },
  countryRule: {
    field: "country_rule",
    id: "country-all-but",
    kind: "chosen",
    first: "all_but_listed",
    label: "Countries",
    choices: [
      { id: "country-all-but", value: "all_but_listed", label: "All countries but these" },
      { id: "country-only", value: "only_listed", label: "Only these countries" },
    ],
    contract: ["country_rule"],
  },
  countries: {
    field: "countries",
    kind: "exact",
    label: "These countries",
    hint: "Names or two-letter codes, with commas between them: Germany, FR, US.",
    contract: ["countries"],
  },
  /** Errors about the kinds lead to the first of them. */
  persons: { field: "persons", kind: "ticked", label: "Who may take part", contract: ["entity_types"] },
  organizations: { field: "organizations", kind: "ticked" },
  maxWallets: {
    field: "max_wallets",
    kind: "trimmed",
    label: "Wallets of one entity",
    hint: "From 1 to 255, and at most as many as your contract takes.",
    contract: ["wallets.max_wallets_per_entity"],
  },
  linking: {
    field: "linking",
    kind: "ticked",
    label: "Wallets must be linked",
    hint: "A signature proves that the wallet belongs to the user, before it gets a permit.",
    contract: ["wallets.linking_required"],
  },
  denyList: {
    field: "deny_list",
    kind: "ticked",
    label: "Wallets on the deny list get no permit",
    contract: ["wallets.deny_list"],
  },
  screenerUrl: {
    field: "screener_url",
    kind: "trimmed",
    label: "Address of a screener",
    hint: "It is asked about each wallet. Leave it empty if you have none.",
    contract: ["wallets.screener_url"],
  },
  onScreeningFailure: {
    field: "on_screening_failure",
    id: "screening-closed",
    kind: "chosen",
    first: "closed",
    label: "If the screener doesn’t answer",
    choices: [
      { id: "screening-closed", value: "closed", label: "No wallet gets a permit" },
      { id: "screening-open", value: "open", label: "Wallets count as clean" },
    ],
    contract: ["wallets.on_screening_failure"],
  },
  liveness: {
    field: "liveness",
    kind: "ticked",
    label: "A person proves to be present before the first permit",
    hint: "By a page of whoever checks identities here.",
    contract: ["liveness_required"],
  },
  payload: {
    field: "payload",
    id: "payload-none",
    kind: "chosen",
    first: "none",
    label: "Settings in a permit",
    choices: [
      {
        id: "payload-settlement",
        value: "settlement",
        label: "Whether a bid must be locked up",
        hint: "For the reference contract’s settlement sale.",
      },
      { id: "payload-none", value: "none", label: "None", hint: "For a contract that reads no settings." },
    ],
    contract: ["payload"],
  },
  bidsWithoutPrice: {
    field: "bids_without_price",
    kind: "ticked",
    label: "It takes bids without a price",
    hint: "Permits then bound the price by 0, and not by the sale’s price.",
    contract: ["bids_without_price"],
  },
  /** UUID of the group of everybody else; empty: only members may take part. */
  defaultGroup: {
    field: "default_group",
    id: "default-none",
    kind: "exact",
    label: "Everybody else",
    contract: ["default_group_uuid"],
  },
} as const satisfies FormTable;

/** The fields of a group, each of which the form has once a group. `contract` has names of fields of `ParticipationGroup`. */
export const GROUP_TABLE = {
  uuid: { field: "group_uuid", kind: "exact" },
  name: { field: "group_name", kind: "trimmed", label: "Name", hint: "Only you see it.", contract: ["name"] },
  opens: {
    field: "group_opens",
    kind: "trimmed",
    label: "Opens",
    hint: "In UTC. Empty: it is open from the start.",
    contract: ["opens_at"],
  },
  closes: {
    field: "group_closes",
    kind: "trimmed",
    label: "Closes",
    hint: "In UTC. Empty: it doesn’t close.",
    contract: ["closes_at"],
  },
  minAmount: { field: "group_min_amount", kind: "trimmed", label: "Least amount", contract: ["min_amount"] },
  maxAmount: { field: "group_max_amount", kind: "trimmed", label: "Largest amount", contract: ["max_amount"] },
  minPrice: { field: "group_min_price", kind: "trimmed", label: "Lowest price", contract: ["min_price_ticks"] },
  maxPrice: { field: "group_max_price", kind: "trimmed", label: "Highest price", contract: ["max_price_ticks"] },
  lockup: { field: "group_lockup", kind: "ticked", label: "Bids must be locked up", contract: ["forced_lockup"] },
  priority: {
    field: "group_priority",
    kind: "trimmed",
    label: "Priority",
    hint: "From 0 to 1000. Who is in several groups counts in the one with the greatest.",
    contract: ["priority"],
  },
} as const satisfies FormTable;

/** A group as entered. */
export type GroupEntry = FormValues<typeof GROUP_TABLE>;

/** The fields of a group that have a label. */
export type GroupField = Exclude<keyof GroupEntry, "uuid">;

/** The groups as a whole, for errors: about their number, for one. */
const GROUPS = { field: "add-group", label: "Groups" } as const;

/** Returns the label of a group's field that also names the group. */
export function groupLabel(field: GroupField, name: string | undefined, index: number): string {
  return `${GROUP_TABLE[field].label} of ${groupTitle(name, index)}`;
}

/** Returns a group's name, or its number while it has none. */
export function groupTitle(name: string | undefined, index: number): string {
  return name?.trim() ? `“${name.trim()}”` : `group ${index + 1}`;
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
    return { field: fieldAt(row, index), label: `${row.label} of ${groupTitle(groups[index]?.name, index)}` };
  }
  const whole = path.replace(/\[\d+\]$/, "");
  return whole === "groups" ? GROUPS : contractErrorField(RULES_TABLE, whole);
}
