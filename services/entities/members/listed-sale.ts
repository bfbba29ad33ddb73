import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { readSaleFacts, type SaleFacts } from "../base/sale-facts.ts";
import type { Upstreams } from "../base/upstreams.ts";

/**
 * Reads a sale whose members or deny list shall change.
 *
 * @throws ServiceError `not_found`; `failed_precondition` for a withdrawn sale, whose lists were deleted; `unavailable`
 */
export async function readListedSale(dependencies: Pick<Upstreams, "sales">, saleUuid: string): Promise<SaleFacts> {
  const sale = await readSaleFacts(dependencies, saleUuid);
  if (sale.status !== "withdrawn") return sale;
  throw new ServiceError("failed_precondition", "the sale is withdrawn: its members and deny list were deleted");
}
