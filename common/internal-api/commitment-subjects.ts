import type { EventStream } from "../platform/bus/bus.ts";

/** The stream of the events of sales, and the subjects that it stores. */
export const COMMITMENTS_STREAM: EventStream = {
  name: "TIDEMARK_COMMITMENTS",
  subjects: ["tidemark.commitments.v1.>"],
};

/** The subjects of all `SaleUpdated` events of all sales. */
export const SALE_UPDATED_SUBJECTS = "tidemark.commitments.v1.sale.*.updated";

/** A signal, not stored in the stream: the outbox has revisions that the relay may not know of. */
export const OUTBOX_SIGNAL = "tidemark.signal.commitments.outbox";

/** Returns the subject of the `SaleUpdated` events of a sale. */
export function saleUpdatedSubject(saleUuid: string): string {
  return `tidemark.commitments.v1.sale.${saleUuid}.updated`;
}
