import { html } from "hono/html";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { NEW_SALE_PATH } from "../base/dashboard-paths.ts";
import type { Founder } from "../base/founder.ts";
import { texts } from "../base/texts.ts";
import { overviewsOf } from "../overview/gather-facts.ts";
import { saleTags } from "../overview/sale-tags.ts";
import { newSalePath } from "./steps.ts";

/** The sales that are offered. Further ones have the way to a copy on their own page. */
const OFFERED = 20;

/** Returns the sales that a new one can be a copy of. Never fails: a new sale needs none. */
export async function copyableSales(founder: Founder, dependencies: DashboardDependencies): Promise<readonly Sale[]> {
  const { clients, logger } = dependencies;
  const request = { pageSize: OFFERED };
  const { memberships } = await clients.memberships.listMemberships(request, founder.atAuth).catch((error: unknown) => {
    logger.warn({ err: error }, "sales to copy not known");
    return { memberships: [] };
  });
  const saleUuids = memberships.filter(({ passkeyMissing }) => !passkeyMissing).map(({ saleUuid }) => saleUuid);
  const overviews = await overviewsOf({ founder, dependencies, saleUuids, next: NEW_SALE_PATH });
  return saleUuids.flatMap((saleUuid) => overviews?.get(saleUuid)?.sale ?? []);
}

/** Returns the list of such sales, folded; nothing where there are none. */
export function copyList(sales: readonly Sale[]): Html {
  if (sales.length === 0) return html``;
  const { copyOne, copyOneText } = texts().newSale;
  return html`<details class="panel copies"><summary>${copyOne}</summary><p class="quiet">${copyOneText}</p>
<ul>${sales.map(saleItem)}</ul></details>`;
}

function saleItem(sale: Sale): Html {
  return html`<li><a href="${newSalePath(sale.uuid)}"><bdi>${sale.definition?.name}</bdi></a> ${saleTags(sale)}</li>`;
}
