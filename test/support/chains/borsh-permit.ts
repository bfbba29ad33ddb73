/** A permit of the Solana program, as its Borsh layout is documented. Read and written without any code of the services. */
export interface BorshPermit {
  /** Hex. */
  readonly entityId: string;
  /** Hex. */
  readonly saleUuid: string;
  /** Hex of the 32 bytes of the bidder's public key. */
  readonly wallet: string;
  readonly expiresAt: bigint;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly minPrice: bigint;
  readonly maxPrice: bigint;
  readonly opensAt: bigint;
  readonly closesAt: bigint;
  /** Hex. */
  readonly payload: string;
}

/** Takes values from the front of a Borsh encoding, one after another. */
class BorshReader {
  #rest: readonly number[];

  constructor(bytes: Uint8Array) {
    this.#rest = [...bytes];
  }

  fixed(length: number): readonly number[] {
    if (this.#rest.length < length) throw new RangeError("the encoding ends too early");
    const taken = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return taken;
  }

  /** An unsigned integer, the least significant byte first. */
  unsigned(length: number): bigint {
    return this.fixed(length).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
  }

  hex(length: number): string {
    return this.fixed(length)
      .map((byte) => byte.toString(16).padStart(2, "0"))
      .join("");
  }

  end(): void {
    if (this.#rest.length > 0) throw new RangeError("bytes follow the encoding");
  }
}

/** Reads a permit. @throws RangeError unless the bytes are exactly one permit */
export function readBorshPermit(bytes: Uint8Array): BorshPermit {
  const reader = new BorshReader(bytes);
  const permit = {
    entityId: reader.hex(16),
    saleUuid: reader.hex(16),
    wallet: reader.hex(32),
    expiresAt: reader.unsigned(8),
    minAmount: reader.unsigned(8),
    maxAmount: reader.unsigned(8),
    minPrice: reader.unsigned(8),
    maxPrice: reader.unsigned(8),
    opensAt: reader.unsigned(8),
    closesAt: reader.unsigned(8),
    payload: reader.hex(Number(reader.unsigned(4))),
  };
  reader.end();
  return permit;
}

/** Writes a permit as clients of the program do. */
export function writeBorshPermit(permit: BorshPermit): Uint8Array {
  const unsigned = (value: bigint, length: number) =>
    Array.from({ length }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn));
  const bytes = (hex: string) => (hex.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16));
  const { expiresAt, minAmount, maxAmount, minPrice, maxPrice, opensAt, closesAt } = permit;
  const payload = bytes(permit.payload);
  return Uint8Array.from([
    ...[permit.entityId, permit.saleUuid, permit.wallet].flatMap(bytes),
    ...[expiresAt, minAmount, maxAmount, minPrice, maxPrice, opensAt, closesAt].flatMap((value) => unsigned(value, 8)),
    ...unsigned(BigInt(payload.length), 4),
    ...payload,
  ]);
}
