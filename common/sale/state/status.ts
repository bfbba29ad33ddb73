import { SaleStatus as StatusMessage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** The status of a sale at Tidemark. It is also its word for operators. */
export type SaleStatus = "draft" | "open" | "settled" | "withdrawn";

/** Each status with its message. The section `saleStatus` of the dashboard's texts has its word on a founder's page. */
const STATUSES: Readonly<Record<SaleStatus, StatusMessage>> = {
  draft: StatusMessage.DRAFT,
  open: StatusMessage.OPEN,
  settled: StatusMessage.SETTLED,
  withdrawn: StatusMessage.WITHDRAWN,
};

/** All statuses, in the order in which a sale has them. */
export const SALE_STATUSES = Object.keys(STATUSES) as readonly SaleStatus[];

export function isSaleStatus(text: string): text is SaleStatus {
  return Object.hasOwn(STATUSES, text);
}

export function statusMessage(status: SaleStatus): StatusMessage {
  return STATUSES[status];
}

/** Returns the status of a message; undefined for one that this version doesn't know. */
export function statusOf(message: StatusMessage): SaleStatus | undefined {
  return SALE_STATUSES.find((status) => STATUSES[status] === message);
}

/** Returns the status of a sale that is for the public; undefined for another one. */
export function publicStatus(message: StatusMessage): "open" | "settled" | undefined {
  const status = statusOf(message);
  return status === "open" || status === "settled" ? status : undefined;
}
