import { ACCOUNT_STATES } from "./account-states.ts";
import { DASHBOARD_STATES } from "./dashboard-states.ts";
import { DEMO_STATES } from "./demo-states.ts";
import { EMBED_STATES } from "./embed-states.ts";
import { SALE_PAGE_STATES } from "./sale-page-states.ts";
import type { State } from "./state.ts";

/** All states of which the gallery has pictures. */
export const ALL_STATES: readonly State[] = [
  ...SALE_PAGE_STATES,
  ...EMBED_STATES,
  ...ACCOUNT_STATES,
  ...DASHBOARD_STATES,
  ...DEMO_STATES,
];
