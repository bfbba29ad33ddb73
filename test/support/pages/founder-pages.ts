/**
 * Paths of a sale's pages in the dashboard, below the sale's own, which the tests of the dashboard visit in a browser, and as
 * people of each role. `scripts/visited-pages.test.ts` fails for a path of the routing table that is neither here nor in `OTHER_PATHS_OF_SALE`.
 */
export const PAGES_OF_SALE = [
  "",
  "/settings",
  "/presentation",
  "/preview",
  "/applications",
  "/days",
  "/developers",
  "/members",
  "/log",
  "/downloads",
  "/open",
  "/settle",
  "/settlement",
  "/contract",
  "/applications/new",
  "/remove",
  "/import",
  "/webhooks",
] as const;

/** Other routes below a sale, each with the test that visits it in a browser, or the reason why none does. */
export const OTHER_PATHS_OF_SALE: Readonly<Record<string, string>> = {
  "/applications/:client": "test/browser/dashboard.test.ts",
  "/applications/:client/security": "test/browser/dashboard.test.ts",
  "/applications/:client/preview": "test/browser/dashboard.test.ts",
  "/taking-part": "test/browser/taking-part.test.ts",
  "/taking-part/rules": "test/browser/taking-part.test.ts",
  "/taking-part/group-members": "test/browser/taking-part.test.ts",
  "/taking-part/deny-list": "test/browser/taking-part.test.ts",
  "/taking-part/freezes": "test/browser/taking-part.test.ts",
  "/taking-part/signer": "test/browser/taking-part.test.ts",
  "/taking-part/permits": "test/browser/taking-part.test.ts",
  "/presentation/logo": "a form's address",
  "/members/passkeys": "a form's address",
  "/members/remove": "a form's address",
  "/taking-part/group-members/import": "a form's address",
  "/taking-part/group-members/remove": "a form's address",
  "/taking-part/deny-list/change": "a form's address",
  "/taking-part/freezes/lift": "a form's address",
  "/applications/:client/redirect-uris/add": "a form's address",
  "/applications/:client/redirect-uris/remove": "a form's address",
  "/applications/:client/logos": "a form's address",
  "/applications/:client/status": "a form's address",
  "/contract/state": "for the script of the sale's page",
  "/taking-part/group-members.csv": "a file",
  "/taking-part/deny-list.csv": "a file",
  "/commitments.csv": "a file",
  "/commitments-for-people.csv": "a file",
};
