import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { type SaleStatus, statusOf } from "../../../common/sale/state/status.ts";
import { type Sale, Tenancy as TenancyMessage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { saleNotFound } from "./check-role.ts";

/** The tenancy of a sale. Clients of a `test` sale may have loopback redirect URIs. */
export type Tenancy = "test" | "live";

/** The facts about a sale that auth reads from the commitments service. */
export interface SaleSummary {
  readonly name: string;
  readonly tenancy: Tenancy;
  readonly status: SaleStatus;
  /** Empty for none. */
  readonly ownerAccountUuid: string;
}

/** The state of a sale at a moment. Sales only move forward, so the sale is at least as far now. */
export interface SaleObservation {
  /** The time at which the request was sent, in milliseconds since 1970. */
  readonly askedAtMs: bigint;
  /** Undefined where the commitments service didn't answer. */
  readonly status?: SaleSummary["status"] | "absent";
  /** Undefined where it isn't known. */
  readonly saleName?: string;
}

type CallContext = Pick<HandlerContext, "signal">;
const CALL_TIMEOUT_MS = 5_000;
/** Codes for a service that is away or too slow. */
const NO_ANSWER = new Set([Code.Unavailable, Code.DeadlineExceeded]);

/**
 * Reads a sale from the commitments service.
 *
 * @returns undefined for a sale that it doesn't know.
 * @throws ConnectError
 */
export async function readSale(
  { sales }: AuthContext,
  saleUuid: string,
  { signal }: CallContext,
): Promise<SaleSummary | undefined> {
  try {
    const { sale } = await sales.getSale({ saleUuid }, { signal, timeoutMs: CALL_TIMEOUT_MS });
    return sale && summaryOf(sale);
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) return undefined;
    throw error;
  }
}

/** @throws ServiceError `not_found` */
export async function requireSale(context: AuthContext, saleUuid: string, call: CallContext): Promise<SaleSummary> {
  const sale = await readSale(context, saleUuid, call);
  if (sale === undefined) throw saleNotFound(saleUuid);
  return sale;
}

/** Reads the state of a sale, and goes on without it where the commitments service is away. */
export async function observeSale(context: AuthContext, saleUuid: string, call: CallContext): Promise<SaleObservation> {
  const askedAtMs = context.clock();
  try {
    const sale = await readSale(context, saleUuid, call);
    if (sale === undefined) return { askedAtMs, status: "absent" };
    return { askedAtMs, status: sale.status, saleName: sale.name };
  } catch (error) {
    if (NO_ANSWER.has(ConnectError.from(error).code) && !call.signal.aborted) return { askedAtMs };
    throw error;
  }
}

/** Returns the name of a sale for a mail; empty where the commitments service doesn't say it. */
export async function saleNameOf(context: AuthContext, saleUuid: string, call: CallContext): Promise<string> {
  try {
    return (await observeSale(context, saleUuid, call)).saleName ?? "";
  } catch {
    return "";
  }
}

function summaryOf({ definition, tenancy, status, ownerAccountUuid }: Sale): SaleSummary {
  return {
    name: definition?.name ?? "",
    tenancy: tenancy === TenancyMessage.TEST ? "test" : "live",
    // A status that this version doesn't know comes after the opening.
    status: statusOf(status) ?? "settled",
    ownerAccountUuid,
  };
}
