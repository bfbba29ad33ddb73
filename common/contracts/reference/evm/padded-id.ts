/** The ID of an entity's commitment, in contracts with one commitment per entity. */
export function paddedId(entityId: string): string {
  return entityId.padEnd(64, "0");
}
