/** The number that a form value means, or the reason why it means none. */
export type ParsedNumber = { readonly value: bigint } | { readonly reason: string };
