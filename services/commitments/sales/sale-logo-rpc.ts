import type { ServiceImpl } from "@connectrpc/connect";
import { checkLogoImage, type LogoImage, logoHash } from "../../../common/platform/images/logo-image.ts";
import { type Principal, principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import { definitionMessage } from "../../../common/sale/definition/definition-message.ts";
import { type Sale, withDefinition, withLogo } from "../../../common/sale/definition/sale.ts";
import { definitionChanges } from "../../../common/sale/words/definition-changes.ts";
import type { CommitmentService } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { requireNoChangeSet, requireNotWithdrawn, requireVersion } from "../base/domain/sale-transitions.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import { saleMessage } from "../base/sale-message.ts";
import type { ChangingContext } from "../changing/commitments-store.ts";
import { storeDefinition } from "../changing/sale-writes.ts";
import { readLogo, storeLogo } from "./sale-logo-store.ts";

export function getSaleLogoRpc({ store }: ChangingContext): ServiceImpl<typeof CommitmentService>["getSaleLogo"] {
  return async ({ logo }) => {
    const { mediaType, bytes } = await readLogo(store.database, logo);
    return { mediaType, image: Uint8Array.from(bytes) };
  };
}

export function setSaleLogoRpc(context: ChangingContext): ServiceImpl<typeof SaleService>["setSaleLogo"] {
  return async (request, call) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = principalOf(call);
    await context.authority.requireRole(principal, saleUuid, "editor");
    const image = request.image.length === 0 ? undefined : checkLogoImage(request.image, "square");
    return { sale: saleMessage(await setSaleLogo(context, principal, { saleUuid, image })) };
  };
}

export interface LogoRequest {
  readonly saleUuid: string;
  /** Undefined: the sale has no logo any more. */
  readonly image: LogoImage | undefined;
}

/**
 * Sets or removes the logo of a sale.
 *
 * @throws ServiceError `not_found`; `aborted` if the definition is changed meanwhile, so that another change was recorded;
 *   `failed_precondition` while a change set is open, and for a withdrawn sale; and auth's refusals.
 */
export async function setSaleLogo(
  { store: { database, changes }, authority }: Pick<ChangingContext, "store" | "authority">,
  principal: Principal,
  { saleUuid, image }: LogoRequest,
): Promise<SaleWithState> {
  const logo = image && logoHash(image);
  const withNewLogo = (sale: Sale) => withDefinition(sale, withLogo(sale.definition, logo));
  const read = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireNotWithdrawn(read.state);
  const { definition: before } = read.sale;
  const { definition: after } = withNewLogo(read.sale);
  if (after !== before) {
    const settings = definitionChanges(definitionMessage(before), definitionMessage(after));
    await authority.recordChange(principal, saleUuid, "definition", settings);
  }
  return changes.run(saleUuid, async ({ transaction, sale, state }) => {
    requireNotWithdrawn(state);
    requireNoChangeSet(state);
    const changed = withNewLogo(sale);
    if (changed === sale) return { state, result: () => ({ sale, state }) };
    requireVersion(sale, read.sale.definitionVersion);
    await storeDefinition(transaction, changed);
    await storeLogo(transaction, saleUuid, image);
    const { definition } = changed;
    return { state, update: { definition }, result: (stored) => ({ sale: changed, state: stored }) };
  });
}
