const ENTITY_DIGITS = 32;

/** Returns the entity of an owner: 32 lower-case hex digits. @param owner `0x` and 40 lower-case hex digits */
export type EntityOf = (owner: string) => string;

let loaded: Promise<EntityOf> | undefined;

/** Loads viem with the first call, because many processes read no auction. An owner's entity is the first half of its hash. */
export function loadOwnerEntities(): Promise<EntityOf> {
  loaded ??= importOwnerEntities().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function importOwnerEntities(): Promise<EntityOf> {
  const { keccak256 } = await import("viem/utils");
  return (owner) => keccak256(owner as `0x${string}`).slice(2, 2 + ENTITY_DIGITS);
}
