import { type LogoImage, logoHash } from "../../../common/platform/images/logo-image.ts";
import { type Sale, type SaleDefinition, withDefinition, withLogo } from "../../../common/sale/definition/sale.ts";
import { requireNoChangeSet, requireNotWithdrawn, requireVersion } from "../base/domain/sale-transitions.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { storeDefinition } from "../changing/sale-writes.ts";
import { storeLogo } from "./store/sale-logo.ts";

export interface LogoRequest {
  readonly saleUuid: string;
  /** Undefined: the sale has no logo any more. */
  readonly image: LogoImage | undefined;
}

/**
 * Sets or removes the logo of a sale.
 *
 * @param record called before the sale is locked, and only if the logo changes; it refuses by throwing
 * @throws ServiceError `not_found`; `aborted` if the definition is changed meanwhile, so that `record` knew another one;
 *   `failed_precondition` while a change set is open, and for a withdrawn sale; and whatever `record` throws.
 */
export async function setSaleLogo(
  { database, changes }: CommitmentsStore,
  { saleUuid, image }: LogoRequest,
  record: (before: SaleDefinition, after: SaleDefinition) => Promise<void>,
): Promise<SaleWithState> {
  const logo = image && logoHash(image);
  const next = (sale: Sale) => withDefinition(sale, withLogo(sale.definition, logo));
  const seen = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireNotWithdrawn(seen.state);
  const wanted = next(seen.sale);
  if (wanted !== seen.sale) await record(seen.sale.definition, wanted.definition);
  return changes.run(saleUuid, async ({ transaction, sale, state }) => {
    requireNotWithdrawn(state);
    requireNoChangeSet(state);
    const changed = next(sale);
    if (changed === sale) return { state, result: () => ({ sale, state }) };
    requireVersion(sale, seen.sale.definitionVersion);
    await storeDefinition(transaction, changed);
    await storeLogo(transaction, saleUuid, image);
    const { definition } = changed;
    return { state, update: { definition }, result: (stored) => ({ sale: changed, state: stored }) };
  });
}
