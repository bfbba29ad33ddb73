import type { PublicBody } from "../public-read/cache/public-body.ts";

/** A body that is nothing but its bytes. */
export function bodyOfBytes(bytes: Buffer): PublicBody {
  const figures = { totalAmount: "0", commitmentCount: 0n, paymentTokenDecimals: 0 };
  const equals = (other: PublicBody) => bytes.equals(other.bytes());
  return { listed: [], figures, figuresJson: "", byteLength: bytes.length, equals, bytes: () => bytes };
}
