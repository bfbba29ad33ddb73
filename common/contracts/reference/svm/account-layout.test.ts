import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import { describe, expect, it } from "vitest";
import { AccountLayoutError } from "../../../chains/svm/account-answer.ts";
import { decodeEntityState, decodeSettlementSale, decodeWalletBinding, peekEntityState } from "./account-layout.ts";

const saleKey = "11".repeat(32);
const walletKey = "22".repeat(32);
const mintKey = "33".repeat(32);
const entityId = "00112233445566778899aabbccddeeff";

function key(hex: string): string {
  return base58.encode(Buffer.from(hex, "hex"));
}

/** Accounts byte for byte as the reference program writes them. */
const entityState = Buffer.from(
  [
    "5cdabc05edd70dfd", // discriminator
    "ff", // bump
    entityId, // @9
    saleKey, // @25
    "0100000000000080", // @57 current_amount
    "ffffffffffffffff", // @65 accepted
    "feffffffffffffff", // @73 current_price
    "01", // @81 lockup
    "00", // @82 refunded
    "0700000000000000", // @83 total_refunded
    "03", // @91 wallet_count
    "00c1a86900000000", // @92 last_bid_timestamp
    "00", // @100
  ].join(""),
  "hex",
);
const walletBinding = Buffer.from(
  [
    "33d3ccb9a84434b0",
    saleKey, // @8
    entityId, // @40
    walletKey, // @56
    "0200000000000080", // @88 contributed
    "ff".repeat(19), // to 115 bytes
  ].join(""),
  "hex",
);
const settlementSale = Buffer.from(
  [
    "267552ea4f6f0f4a",
    "0189abcdef01723485670123456789ab", // @8 sale_uuid
    walletKey, // @24 permit_signer
    mintKey, // @56
    "ee".repeat(96),
    "04", // @184 stage
    "ee".repeat(6),
    "ffffffffffffffff", // @191 total_committed
  ].join(""),
  "hex",
);

function withByte(data: Buffer, offset: number, byte: number): Buffer {
  const copy = Buffer.from(data);
  copy[offset] = byte;
  return copy;
}

describe("the layouts", () => {
  it("have the documented sizes", () => {
    expect([entityState.length, walletBinding.length, settlementSale.length]).toEqual([101, 115, 199]);
  });

  it("EntityState", () => {
    expect(decodeEntityState(entityState)).toEqual({
      entityId,
      sale: key(saleKey),
      currentAmount: 2n ** 63n + 1n,
      accepted: 2n ** 64n - 1n,
      currentPrice: 2n ** 64n - 2n,
      lockup: true,
      refunded: false,
      lastBidTimestamp: 0x69a8c100n,
    });
    expect(decodeEntityState(withByte(entityState, 82, 1)).refunded).toBe(true);
  });

  it("EntityState with a negative time", () => {
    expect(decodeEntityState(Buffer.from(entityState).fill(0xff, 92, 100)).lastBidTimestamp).toBe(-1n);
  });

  it("WalletBinding", () => {
    const contributed = 2n ** 63n + 2n;
    expect(decodeWalletBinding(walletBinding)).toEqual({
      sale: key(saleKey),
      entityId,
      wallet: key(walletKey),
      contributed,
      accepted: 2n ** 64n - 1n,
    });
    const short = { sale: key(saleKey), entityId, wallet: key(walletKey), contributed };
    expect(decodeWalletBinding(walletBinding.subarray(0, 111))).toEqual(short);
  });

  it("SettlementSale", () => {
    expect(decodeSettlementSale(settlementSale)).toEqual({
      saleUuid: "0189abcd-ef01-7234-8567-0123456789ab",
      permitSigner: key(walletKey),
      paymentTokenMint: key(mintKey),
      stage: 4,
      totalCommitted: 2n ** 64n - 1n,
    });
    const total = Buffer.from(`${"ee".repeat(8)}0500000000000080`, "hex");
    const longer = Buffer.concat([settlementSale, total]);
    expect(decodeSettlementSale(longer)).toMatchObject({ totalAccepted: 2n ** 63n + 5n });
  });

  it("are read from the middle of a buffer, and may be followed by later fields", () => {
    const around = Buffer.concat([Buffer.alloc(7), entityState, Buffer.alloc(9)]);
    expect(decodeEntityState(around.subarray(7))).toEqual(decodeEntityState(entityState));
  });
});

describe("an account of another kind", () => {
  const kinds = [
    { kind: "EntityState", decode: decodeEntityState, data: entityState, needed: 100 },
    { kind: "WalletBinding", decode: decodeWalletBinding, data: walletBinding, needed: 96 },
    { kind: "SettlementSale", decode: decodeSettlementSale, data: settlementSale, needed: 199 },
  ];

  it.each(kinds)("$kind: fewer bytes than its fields take", ({ decode, data, needed }) => {
    expect(() => decode(data.subarray(0, needed))).not.toThrow();
    expect(() => decode(data.subarray(0, needed - 1))).toThrow(`has ${needed - 1} bytes, ${needed} are needed`);
  });

  it.each(kinds)("$kind: another discriminator, or none", ({ kind, decode, data }) => {
    for (const wrong of [withByte(data, 0, 0), withByte(data, 7, 1), Buffer.alloc(0), data.subarray(0, 7)]) {
      expect(() => decode(wrong)).toThrow(new AccountLayoutError(`the account isn't of kind ${kind}`));
    }
  });

  it.each([
    [81, "lockup"],
    [82, "refunded"],
  ])("byte %i: a truth value of 2", (offset, field) => {
    expect(() => decodeEntityState(withByte(entityState, offset, 2))).toThrow(
      `EntityState.${field} is neither 0 nor 1`,
    );
  });
});

describe("peekEntityState", () => {
  it("returns ID and amounts", () => {
    const peeked = peekEntityState(entityState, Buffer.from(saleKey, "hex"));
    expect(peeked).toEqual({ entityId, currentAmount: 2n ** 63n + 1n, accepted: 2n ** 64n - 1n });
  });

  it("refuses an entity of another sale", () => {
    expect(() => peekEntityState(entityState, Buffer.from(mintKey, "hex"))).toThrow("belongs to another sale");
  });
});
