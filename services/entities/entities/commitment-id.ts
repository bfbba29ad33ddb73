/** The contracts that take permits number commitments by entity: its ID, and 16 zero bytes. */
const COMMITMENT_ID_BYTES = 32;

/** Returns the ID of an entity's commitment in a sale's contract. @param saleSpecificId 16 bytes */
export function commitmentIdOf(saleSpecificId: Uint8Array): Uint8Array<ArrayBuffer> {
  const id = new Uint8Array(COMMITMENT_ID_BYTES);
  id.set(saleSpecificId);
  return id;
}
