interface Height {
  readonly height: bigint;
}

/**
 * Returns the block or slot up to which a sale's source was read; undefined before the first read.
 *
 * @param applied the position of the last apply, which follows the chain slowly while nothing changes
 * @param asOf the position of the last report, which comes after the apply of a change
 */
export function heightRead(applied: Height | undefined, asOf: Height | undefined): bigint | undefined {
  const isAppliedLater = applied !== undefined && (asOf === undefined || applied.height > asOf.height);
  return (isAppliedLater ? applied : asOf)?.height;
}
