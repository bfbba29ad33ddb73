const LABELS: Readonly<Record<string, string>> = {
  enabled: "Taking part is on",
  "country-all-but": "Countries",
  countries: "Countries",
  persons: "Who may take part",
  "add-group": "Groups",
  "default-none": "Everybody else",
  max_wallets: "Wallets of one entity",
  linking: "Wallets must be linked",
  deny_list: "Deny list",
  screener_url: "Address of a screener",
  "screening-closed": "If the screener doesn’t answer",
  liveness: "Presence",
  "payload-none": "Settings in a permit",
  bids_without_price: "Bids without a price",
};

const GROUP_LABELS = {
  uuid: "ID",
  name: "Name",
  opens: "Opens",
  closes: "Closes",
  minAmount: "Least amount",
  maxAmount: "Largest amount",
  minPrice: "Lowest price",
  maxPrice: "Highest price",
  lockup: "Lockup",
  priority: "Priority",
} as const;

/** Returns the label of a field of the rules, by its ID. */
export function rulesLabel(field: string): string {
  return LABELS[field] ?? field;
}

/** Returns the label of a group's field as the group itself shows it. */
export function groupFieldLabel(field: keyof typeof GROUP_LABELS): string {
  return GROUP_LABELS[field];
}

/** Returns the label of a group's field that also names the group. */
export function groupLabel(field: keyof typeof GROUP_LABELS, name: string | undefined, index: number): string {
  return `${GROUP_LABELS[field]} of ${groupTitle(name, index)}`;
}

/** Returns a group's name, or its number while it has none. */
export function groupTitle(name: string | undefined, index: number): string {
  return name?.trim() ? `“${name.trim()}”` : `group ${index + 1}`;
}
