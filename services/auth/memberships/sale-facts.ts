import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import {
  type Sale,
  SaleStatus,
  Tenancy as TenancyMessage,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Dependencies } from "../base/dependencies.ts";
import type { Tenancy } from "../clients/client.ts";
import type { SaleSighting } from "./opening.ts";
import { saleNotFound } from "./permission.ts";

/** What the commitments service knows of a sale and auth needs. */
export interface SaleFacts {
  readonly name: string;
  readonly tenancy: Tenancy;
  readonly status: NonNullable<SaleSighting["status"]>;
  /** Empty for none. */
  readonly ownerAccountUuid: string;
}

type CallContext = Pick<HandlerContext, "signal">;
type Sales = Pick<Dependencies, "sales">;

const SIGHTING_TIMEOUT_MS = 5_000;
/** The service doesn't answer, or not in time. */
const NO_ANSWER = new Set([Code.Unavailable, Code.DeadlineExceeded]);

/** Asks the commitments service; undefined for a sale that it doesn't know. Throws what the call throws. */
export async function readSale(
  { sales }: Sales,
  saleUuid: string,
  { signal }: CallContext,
): Promise<SaleFacts | undefined> {
  try {
    const { sale } = await sales.getSale({ saleUuid }, { signal, timeoutMs: SIGHTING_TIMEOUT_MS });
    return sale && factsOf(sale);
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) return undefined;
    throw error;
  }
}

/** @throws ServiceError `not_found` */
export async function requireSale(dependencies: Sales, saleUuid: string, context: CallContext): Promise<SaleFacts> {
  const sale = await readSale(dependencies, saleUuid, context);
  if (sale === undefined) throw saleNotFound(saleUuid);
  return sale;
}

/** Asks the commitments service without depending on its answer. */
export async function sightSale(
  dependencies: Pick<Dependencies, "sales" | "clock">,
  saleUuid: string,
  context: CallContext,
): Promise<SaleSighting> {
  const askedAtMs = dependencies.clock();
  try {
    const sale = await readSale(dependencies, saleUuid, context);
    if (sale === undefined) return { askedAtMs, status: "absent" };
    return { askedAtMs, status: sale.status, saleName: sale.name };
  } catch (error) {
    if (NO_ANSWER.has(ConnectError.from(error).code) && !context.signal.aborted) return { askedAtMs };
    throw error;
  }
}

function factsOf({ definition, tenancy, status, ownerAccountUuid }: Sale): SaleFacts {
  return {
    name: definition?.name ?? "",
    tenancy: tenancy === TenancyMessage.TEST ? "test" : "live",
    // A status that this version doesn't know is one behind the opening.
    status: status === SaleStatus.DRAFT ? "draft" : status === SaleStatus.OPEN ? "open" : "settled",
    ownerAccountUuid,
  };
}
