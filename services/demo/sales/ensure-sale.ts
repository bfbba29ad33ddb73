import { type Client, Code, ConnectError } from "@connectrpc/connect";
import {
  type Sale,
  type SaleDefinition,
  SaleStatus,
  Tenancy,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { DemoSale } from "./demo-sales.ts";

/** The sale as stored, or undefined if there is none. */
export async function existingSale(sales: Client<typeof SaleService>, saleUuid: string): Promise<Sale | undefined> {
  try {
    return (await sales.getSale({ saleUuid })).sale;
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.NotFound) return undefined;
    throw error;
  }
}

/** Creates a sale if there is none yet. @returns the sale's status. */
export async function ensureSale(
  sales: Client<typeof SaleService>,
  { uuid: saleUuid }: Pick<DemoSale, "uuid">,
  definition: SaleDefinition,
): Promise<SaleStatus> {
  const existing = await existingSale(sales, saleUuid);
  if (existing !== undefined) return existing.status;
  await sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition });
  return SaleStatus.DRAFT;
}
