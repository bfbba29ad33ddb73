/** Keys that are derived from `KEY_ENCRYPTION_KEY`, with the same ones of `KEY_ENCRYPTION_KEY_OTHER` where that is set. */
export type WithOther<Keys> = Keys & { readonly other?: Keys | undefined };

/** Derives the keys of both. @param derive derives those of one `KEY_ENCRYPTION_KEY` */
export function deriveBoth<Keys extends object>(
  derive: (keyEncryptionKey: Uint8Array) => Keys,
  present: Uint8Array,
  other: Uint8Array | undefined,
): WithOther<Keys> {
  return { ...derive(present), ...(other !== undefined && { other: derive(other) }) };
}

/** Returns the present key of a purpose, by which everything new is made, and after it the other one, which is only read with. */
export function bothKeys<Name extends string>(
  keys: WithOther<Readonly<Record<Name, Uint8Array>>>,
  name: Name,
): readonly [Uint8Array, ...Uint8Array[]] {
  return keys.other === undefined ? [keys[name]] : [keys[name], keys.other[name]];
}
