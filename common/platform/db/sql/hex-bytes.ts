const hexPattern = /^(?:[0-9a-f]{2})*$/;

/**
 * Bytes for a statement, held as the hex digits that a caller has anyway. Where a statement's text holds its values, the digits go
 * into it as they are: bytes would be made of them only to be turned into digits again, for each ID of each row.
 */
export class HexBytes {
  /** Lower-case hex. */
  readonly hex: string;

  /** @throws TypeError for anything but lower-case hex, which could be more of a statement than a value */
  constructor(hex: string) {
    if (!hexPattern.test(hex)) throw new TypeError("bytes of a statement must be lower-case hex");
    this.hex = hex;
  }
}

/** A row for a statement: its bytes may be held as hex. */
export type StatementRow<Row> = {
  readonly [Column in keyof Row]: Uint8Array extends Row[Column] ? Row[Column] | HexBytes : Row[Column];
};

/** Returns a UUID, ID or digest as bytes for a statement; hyphens are ignored. @throws TypeError for anything else */
export function hexBytes(hex: string): HexBytes {
  return new HexBytes(hex.replaceAll("-", ""));
}
