import { globSync } from "node:fs";
import { FILES_EN } from "../../../gateway/web/texts/dashboard/files/en.ts";
import { SETTLEMENT_EN } from "../../../gateway/web/texts/dashboard/settlement/en.ts";
import { TAKING_PART_EN } from "../../../gateway/web/texts/dashboard/taking-part/en.ts";
import { EN } from "../../../gateway/web/texts/en.ts";
import { REPOSITORY_ROOT } from "../repository/repository.ts";

const PAGES = "gateway/dashboard";
/** Modules without sentences of a page: a program for developers, whose page is tested with the program running, and its files. */
const NO_MESSAGES = ["application/application-snippet.ts", "base/dashboard-assets.ts"];
/** Folders whose pages have a test of their own: `taking-part` and `reviews` in the browser, the others beside them. */
const TESTED_FOLDERS = ["days", "files", "guide", "presentation", "reviews", "settlement", "taking-part", "webhooks"];
/** Modules that have tests beside them, in folders whose others have not. */
const TESTED_MODULES = [
  "application/security-form-values.ts",
  "application/security-page.ts",
  "application/security.ts",
  "base/list-upload.ts",
  "base/utc-entry.ts",
  "new-sale/contract-panel.ts",
  "new-sale/contract-values.ts",
  "new-sale/copied-applications.ts",
  "new-sale/copied-values.ts",
  "new-sale/copyable-sales.ts",
  "new-sale/create-sale.ts",
  "new-sale/first-application.ts",
  "new-sale/new-sale-page.ts",
  "new-sale/new-sale-values.ts",
  "new-sale/new-sale.ts",
  "new-sale/start-sale.ts",
  "new-sale/started-sale.ts",
  "new-sale/steps-form.ts",
  "new-sale/steps.ts",
  "overview/developers-page.ts",
  "overview/gather-facts.ts",
  "overview/opening-problems.ts",
];

/** Sections of the dashboard's texts that the pages of `TESTED_FOLDERS` and `TESTED_MODULES` show. */
const TESTED_SECTIONS: ReadonlySet<string> = new Set([
  ...Object.keys(TAKING_PART_EN),
  ...Object.keys(FILES_EN),
  ...Object.keys(SETTLEMENT_EN),
  "applications",
  "auctionWords",
  "check",
  "checklist",
  "days",
  "developers",
  "feed",
  "guide",
  "log",
  "newSale",
  "nextStep",
  "obstacle",
  "opensWith",
  "presentation",
  "presentationHint",
  "presentationLabel",
  "preview",
  "reviews",
  "saleCard",
  "saleStatus",
  "security",
  "sourceFault",
  "sourceProblem",
  "stage",
  "stats",
  "webhookState",
  "webhooks",
]);

/** The sections of the dashboard's texts whose sentences founders read. */
export function messageSections(): readonly object[] {
  return Object.entries(EN.dashboard).flatMap(([name, section]) => (TESTED_SECTIONS.has(name) ? [] : [section]));
}

/** The modules whose sentences founders read: those of the dashboard, and the rules of the services behind its forms. */
export function messageModules(): readonly string[] {
  const pages = globSync("**/*.ts", { cwd: `${REPOSITORY_ROOT}/${PAGES}` })
    .filter(isPage)
    .toSorted();
  return [...pages.map((name) => `${PAGES}/${name}`), ...SALE_RULES, ...CLIENT_RULES];
}

function isPage(name: string): boolean {
  const [folder = ""] = name.split("/");
  if (name.endsWith(".test.ts") || TESTED_FOLDERS.includes(folder)) return false;
  return ![...NO_MESSAGES, ...TESTED_MODULES].includes(name);
}

const SALE_RULES = [
  "common/sale/words/exact-number.ts",
  "common/sale/words/role-words.ts",
  "common/platform/names/link-in-name.ts",
  "common/sale/definition/abi-type.ts",
  "common/chains/addresses.ts",
  "services/commitments/sales/definition-change.ts",
  "common/sale/definition/extra-data-parameters.ts",
  "common/sale/definition/payment-tokens.ts",
  "common/sale/definition/sale-name.ts",
  "common/sale/definition/sale-pricing.ts",
  "common/sale/definition/sale-source.ts",
  "common/sale/definition/token-decimals.ts",
  "common/sale/definition/typed-address.ts",
];
const CLIENT_RULES = [
  "services/auth/applications/definition/application-definition.ts",
  "services/auth/applications/application-readiness.ts",
  "common/platform/names/email-address.ts",
  "common/platform/images/image.ts",
  "common/platform/images/logo-image.ts",
  "services/auth/memberships/membership.ts",
  "services/auth/applications/change-application.ts",
  "services/auth/memberships/check-role.ts",
  "services/auth/applications/application.ts",
  "services/auth/sessions/session.ts",
  "services/auth/applications/definition/redirect-uri.ts",
];

/** Sentences that no page of one installation shows, by the reason. */
export const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  "it says what a form is for, to the form's guard": [
    "new application",
    "add redirect uri",
    "remove redirect uri",
    "application status",
    "set member",
    "remove member",
    "open sale",
    "settle sale",
    "remove sale",
    "sale settings",
  ],
  "gateway/dashboard/members/passkey-rule.test.ts: the page says it in other words": [
    "the sale requires its owners and editors to sign in with a passkey",
    "passkey rule of a sale",
  ],
  "it is no sentence": ['multipart/form-data; boundary="…"', "must be …, …"],
  "it is for the log of the gateway": ["entries not kept", "reviewer not known"],
  "gateway/dashboard/opening/opening.test.ts: the tokens here are dollars": ["…, not counted as a dollar"],
  "gateway/dashboard/opening/opening.test.ts: it wants an auth service that fails": [
    "Whether it can open isn’t known now.",
  ],
  "a button or a region is called so, which screen readers say": [
    "Where this is",
    "Not copied",
    "Role of …",
    "Save the role of …",
    "Pages of the sale",
    "Pages of the sale: …",
  ],
  "gateway/dashboard/base/utc-entry.test.ts: it is for pages that have tests of their own": [
    "Write a date and time in UTC such as 2027-01-31 12:00",
    "Choose a time after 1970",
  ],
  "gateway/dashboard/files/import-commitments.test.ts: lists have pages of their own": [
    "This list is too large",
    "Here a list may have 12 MB at most. Divide it, or ask the operator to import it. Nothing was changed.",
    "There is no list",
    "Choose a file, or enter its lines, and send it again. Nothing was changed.",
    "Other lists are being imported",
    "Please send yours again in a minute. Nothing of it was stored.",
    "Or the lines themselves",
    "They count if no file is chosen.",
  ],
  "test/browser/founder.test.ts: the page for opening, of a sale that is open": ["It isn’t a draft any more."],
  "an editor sees it, or somebody who signed in long ago": [
    "Only owners can change them.",
    "You will be asked to sign in again: your last sign-in was more than ten minutes ago.",
  ],
  "gateway/dashboard/base/upload-form.test.ts: no browser sends it": [
    "Its content type names no boundary.",
    "It arrived incomplete. Please send it again.",
  ],
  "gateway/dashboard/overview/overview.test.ts: it wants a reviewer or a long list of sales, or is folded": [
    "You review identities here. …",
    "Who waits for a review",
    "More sales",
    "Change settings",
    "Nothing yet but its name and figures.",
    "Change what people read",
  ],
  "the bounds of the contract come first, and are seen": [
    "must be 1 to … tokens",
    "must be 1 to 63 lower-case letters, digits and inner hyphens",
    "must be at most …",
    "must have at most … bytes",
    "at most … characters",
    "must have at most … characters",
  ],
  "only an open sale of an auction says it, in the service's own words": ["the sale's contract states it"],
  "the count is two at least": ["… price tick of …"],
  "no form can say it": [
    "must be at most 32 visible characters, without < > & and quotation marks",
    "is required: the tokens' own differ",
    "must be 0 to …",
    "must be one of …",
    "the sale was settled",
    "the demand of bids is counted in it",
    "must be 1 with the clearing rule LOWEST_NOT_OUTBID, which knows no grid",
    "it has none",
    "unknown decimals",
    "there is no client …",
    "there is no sale …",
    "the role … of the sale is needed, not …",
  ],
  "the library that reads the list refuses it first, and that is seen": [
    "a tuple must have members",
    "the type … isn't supported",
  ],
  "services/auth/applications/check-opening-is-over.test.ts: a moment of an opening": [
    "the state of the sale isn't known now; retry",
    "the sale is being opened with this client; try again in two minutes",
  ],
  "gateway/dashboard/new-sale/new-sale.test.ts: it wants an auction on a chain": [
    "Your contract is a Continuous Clearing Auction: it says itself what is sold and at which prices. You needn’t enter them.",
    "the lowest at which the demand above it costs no more than what is for sale",
    "read from the Continuous Clearing Auction … on …",
    "must be 0: only the reference contract has stages by version",
  ],
  "the applications' service must fail in the middle of a copy": [
    "The copy is created, as a draft. Not all applications could be copied: add those that are missing.",
  ],
};
