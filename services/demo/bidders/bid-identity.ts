const ENTITY_BYTES = 16;
const PREFIX = 0xde300000;

/** The entity ID of a simulated bidder, 16 bytes. */
export function entityId(entity: number): Uint8Array {
  const bytes = new Uint8Array(ENTITY_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, PREFIX);
  view.setUint32(ENTITY_BYTES - 4, entity);
  return bytes;
}

/** Whether an entity ID is one of a simulated bidder, and not of somebody who bid with a permit. */
export function isSimulated(id: Uint8Array): boolean {
  const simulated = entityId(entityNumber(id));
  return id.every((byte, index) => byte === simulated[index]);
}

/** The number in an entity ID. */
export function entityNumber(id: Uint8Array): number {
  return new DataView(id.buffer, id.byteOffset).getUint32(ENTITY_BYTES - 4);
}

/** The address of an entity's wallet, of which there are fewer than 256. */
export function walletAddress(entity: number, wallet: number): `0x${string}` {
  return `0x${wallet.toString(16).padStart(2, "0")}${entity.toString(16).padStart(38, "0")}`;
}
