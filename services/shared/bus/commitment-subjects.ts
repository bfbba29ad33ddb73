/** The stream of what happens to sales, and all that it takes in. */
export const COMMITMENTS_STREAM = { name: "TIDEMARK_COMMITMENTS", subjects: ["tidemark.commitments.v1.>"] } as const;

/** Every `SaleUpdated` of every sale. */
export const SALE_UPDATED_SUBJECTS = "tidemark.commitments.v1.sale.*.updated";

/** Outside of the stream: there are revisions in the outbox that the relay may not know of. */
export const OUTBOX_SIGNAL = "tidemark.signal.commitments.outbox";

/** Where a `SaleUpdated` of a sale goes. */
export function saleUpdatedSubject(saleUuid: string): string {
  return `tidemark.commitments.v1.sale.${saleUuid}.updated`;
}
