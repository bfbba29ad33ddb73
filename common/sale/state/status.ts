import { SaleStatus as StatusMessage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** The status of a sale at Tidemark. It is also its word for operators. */
export type SaleStatus = "draft" | "open" | "settled" | "withdrawn";

/** Each status with its message, and its word on a founder's page. */
const STATUSES: Readonly<Record<SaleStatus, { readonly message: StatusMessage; readonly text: string }>> = {
  draft: { message: StatusMessage.DRAFT, text: "Draft" },
  open: { message: StatusMessage.OPEN, text: "Open" },
  settled: { message: StatusMessage.SETTLED, text: "Settled" },
  withdrawn: { message: StatusMessage.WITHDRAWN, text: "Withdrawn" },
};

/** All statuses, in the order in which a sale has them. */
export const SALE_STATUSES = Object.keys(STATUSES) as readonly SaleStatus[];

export function isSaleStatus(text: string): text is SaleStatus {
  return Object.hasOwn(STATUSES, text);
}

export function statusMessage(status: SaleStatus): StatusMessage {
  return STATUSES[status].message;
}

/** Returns the status of a message; undefined for one that this version doesn't know. */
export function statusOf(message: StatusMessage): SaleStatus | undefined {
  return SALE_STATUSES.find((status) => STATUSES[status].message === message);
}

/** Returns a status as a page shows it. */
export function statusText(status: SaleStatus | undefined): string {
  return status === undefined ? "Unknown" : STATUSES[status].text;
}

/** Returns the status of a sale that is for the public; undefined for another one. */
export function publicStatus(message: StatusMessage): "open" | "settled" | undefined {
  const status = statusOf(message);
  return status === "open" || status === "settled" ? status : undefined;
}
