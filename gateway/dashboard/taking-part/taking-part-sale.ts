import type { CallOptions } from "@connectrpc/connect";
import { type SaleUnits, saleUnits } from "../../../common/sale/words/sale-units.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { atEntities } from "../../web/sessions/at-entities.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import type { Crumb } from "../base/dashboard-page.ts";
import { takingPartPaths } from "../base/dashboard-paths.ts";
import { type FounderSale, founderSaleOf } from "../base/founder.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";

/** A sale with what its pages about taking part need. */
export interface TakingPartSale extends FounderSale {
  /** Options of calls of the entities service on the user's behalf. */
  readonly atEntities: CallOptions;
  readonly units: SaleUnits;
  readonly paths: ReturnType<typeof takingPartPaths>;
}

/** Returns the sale that a page's path names. @throws as `founderSaleOf` does */
export async function takingPartSaleOf(
  c: AuthContext,
  dependencies: TakingPartDependencies,
  next = c.req.path,
): Promise<TakingPartSale> {
  const found = await founderSaleOf(c, dependencies, next);
  const { definition, uuid } = found.sale;
  if (definition === undefined) throw new TypeError("the sale has no definition");
  const options = await atEntities(found.founder, dependencies, next);
  const units = saleUnits(definition, texts().unitWords, pageLanguage());
  return { ...found, atEntities: options, units, paths: takingPartPaths(uuid) };
}

/** Returns the links from the list of sales to a page below that about taking part. */
export function takingPartCrumbs({ sale, paths }: TakingPartSale): readonly Crumb[] {
  return [...saleCrumbs(sale), { href: paths.overview, text: texts().takingPart.title }];
}
