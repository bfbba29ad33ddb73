import type { AuthDependencies } from "../../web/sessions/auth-dependencies.ts";

/** The most sales of which a page shows contacts: for each, a gateway may have to load all figures of the sale. */
const MAX_SALES = 10;

/**
 * Returns the contacts of sales by UUID. Of sales after the first ten there is none: their own pages show it.
 *
 * @param saleUuids in the order in which the page shows the sales; repeated ones count once
 */
export async function saleContacts(
  contactOf: AuthDependencies["contactOf"],
  saleUuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const first = [...new Set(saleUuids)].slice(0, MAX_SALES);
  return new Map(await Promise.all(first.map(async (uuid) => [uuid, await contactOf(uuid)] as const)));
}
