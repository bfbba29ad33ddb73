import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { DASHBOARD_PATH } from "../../web/sessions/auth-paths.ts";
import type { Crumb } from "./dashboard-page.ts";
import { salePaths } from "./dashboard-paths.ts";
import { pageTexts } from "./texts.ts";

/** Returns the link to the list of sales. */
export function salesCrumb(): Crumb {
  return { href: DASHBOARD_PATH, text: pageTexts().frame.mySales };
}

/** Returns the links from the list of sales to a page below a sale. */
export function saleCrumbs({ uuid, definition }: Sale): readonly Crumb[] {
  return [salesCrumb(), { href: salePaths(uuid).sale, text: definition?.name ?? uuid }];
}
