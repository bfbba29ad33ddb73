/** Paths of a sale's pages in the dashboard, below the sale's own. */
export const PAGES_OF_SALE = [
  "",
  "/settings",
  "/presentation",
  "/preview",
  "/members",
  "/log",
  "/downloads",
  "/open",
  "/settle",
  "/contract",
  "/applications/new",
] as const;
