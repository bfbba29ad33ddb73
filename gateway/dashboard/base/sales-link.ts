import type { PageLink } from "../../web/pages/page-error.ts";
import { DASHBOARD_PATH } from "../../web/sessions/auth-paths.ts";

/** The link from a page about an error to the list of sales. */
export const SALES_LINK: PageLink = { href: DASHBOARD_PATH, text: ({ frame }) => frame.mySales };
