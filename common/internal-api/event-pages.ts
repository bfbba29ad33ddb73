/** Pages of the dashboard about a change of a sale, by the end of their address below the sale's page. */
const PAGES = {
  sale: "",
  log: "/log",
  settings: "/settings",
  members: "/members",
  webhooks: "/webhooks",
  rules: "/taking-part/rules",
  participants: "/taking-part/group-members",
  signer: "/taking-part/signer",
  freezes: "/taking-part/freezes",
} as const;

/** A page of the dashboard to which a notice about a change leads. */
export type EventPage = keyof typeof PAGES | "sales" | "application" | "security";

/** The sale that a change is of, and the application, where it is one's. */
export interface EventSubject {
  readonly saleUuid: string;
  readonly clientUuid?: string;
}

/** Returns the path of the page about a change: mails and the activity log lead to the same one. */
export function eventPagePath(page: EventPage, { saleUuid, clientUuid }: EventSubject): string {
  if (page === "sales") return "/dashboard";
  const sale = `/dashboard/sales/${saleUuid}`;
  if (page !== "application" && page !== "security") return sale + PAGES[page];
  if (clientUuid === undefined) return sale;
  return `${sale}/applications/${clientUuid}${page === "security" ? "/security" : ""}`;
}
