import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PermitKey } from "../../../services/entities/permit-keys/permit-key.ts";
import { storedKeySigner } from "../../../services/entities/permit-keys/stored-key-signer.ts";
import { readBorshPermit } from "../../../test/support/chains/borsh-permit.ts";
import { judgeSvmBid, type SvmBid, type SvmSaleAccount } from "../../../test/support/chains/svm-permit-program.ts";
import type { Permit } from "../base/permit.ts";
import { encodeSvmPermit } from "./svm-permit.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const signer = storedKeySigner(Buffer.alloc(32, 5));

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const safe = fc.bigInt({ min: 1n, max: 2n ** 53n - 2n });
/** A window of at least one second, in which the permit is good, and bounds that leave room on both sides. */
const permits: fc.Arbitrary<Permit> = fc
  .record({
    ids: fc.tuple(bytes(16), bytes(16), bytes(32)),
    times: fc.tuple(safe, safe).filter(([one, other]) => one !== other),
    prices: fc.tuple(safe, safe),
    amounts: fc.tuple(fc.bigInt({ min: 1n, max: 2n ** 64n - 2n }), fc.bigInt({ min: 1n, max: 2n ** 64n - 2n })),
    forcedLockup: fc.boolean(),
  })
  .map(({ ids: [saleSpecificId, saleUuid, wallet], times, prices, amounts, forcedLockup }) => {
    const [opensAt, closesAt] = sorted(times);
    const [minPrice, maxPrice] = sorted(prices);
    const [minAmount, maxAmount] = sorted(amounts);
    const bounds = { minAmount, maxAmount, minPrice, maxPrice, opensAt, closesAt, expiresAt: closesAt + 1n };
    return { saleSpecificId, saleUuid, wallet, ...bounds, payload: Uint8Array.of(Number(forcedLockup)) };
  });

function sorted([one, other]: readonly [bigint, bigint]): readonly [bigint, bigint] {
  return one < other ? [one, other] : [other, one];
}

async function newKey(): Promise<PermitKey> {
  const uuid = randomUUID();
  const made = await signer.createKey(uuid, "svm");
  const names = { saleUuid: randomUUID(), status: "active", kind: "svm", chain: "solana" } as const;
  return { uuid, ...names, ...made, createdAtMs: 0n };
}

/** A bid at the least amount and price that a permit allows, at the first second of its window. */
async function allowed(
  key: PermitKey,
  permit: Permit,
): Promise<{ readonly sale: SvmSaleAccount; readonly bid: SvmBid }> {
  const message = encodeSvmPermit(permit);
  const signature = await signer.sign(key, message);
  const { minAmount: amount, minPrice: price, opensAt: now } = permit;
  return {
    sale: { permitSigner: key.address, saleUuid: hex(permit.saleUuid), now },
    bid: { message, signature, bidder: hex(permit.wallet), amount, price, lockup: true },
  };
}

describe("a permit for Solana, as an independent program reads it", () => {
  it("decodes to what went in", () => {
    fc.assert(
      fc.property(permits, fc.uint8Array({ maxLength: 300 }), (bounds, payload) => {
        const { saleSpecificId, saleUuid, wallet, ...numbers } = { ...bounds, payload };
        expect(readBorshPermit(encodeSvmPermit({ ...bounds, payload }))).toEqual({
          ...numbers,
          entityId: hex(saleSpecificId),
          saleUuid: hex(saleUuid),
          wallet: hex(wallet),
          payload: hex(payload),
        });
      }),
    );
  });

  it("is accepted for exactly what it says, and refused for anything else", async () => {
    const key = await newKey();
    const other = Buffer.alloc(32, 9);
    await fc.assert(
      fc.asyncProperty(permits, async (permit) => {
        const { sale, bid } = await allowed(key, permit);
        const judge = (bidChange: Partial<SvmBid>, saleChange: Partial<SvmSaleAccount> = {}) =>
          judgeSvmBid({ ...sale, ...saleChange }, { ...bid, ...bidChange });
        expect(judge({})).toBe("accepted");
        expect(judge({ amount: permit.maxAmount, price: permit.maxPrice }, { now: permit.closesAt - 1n })).toBe(
          "accepted",
        );
        expect(judge({ amount: permit.maxAmount + 1n })).toBe("BidExceedsMaxAmount");
        expect(judge({ amount: permit.minAmount - 1n })).toMatch(/BidBelowMinAmount|ZeroAmount/);
        expect(judge({ price: permit.maxPrice + 1n })).toBe("PriceExceedsMaxPrice");
        expect(judge({ price: permit.minPrice - 1n })).toBe("PriceBelowMinPrice");
        expect(judge({}, { now: permit.opensAt - 1n })).toBe("BidTooEarly");
        expect(judge({}, { now: permit.closesAt })).toBe("BidTooLate");
        expect(judge({}, { now: permit.expiresAt })).toBe("PermitExpired");
        expect(judge({ bidder: hex(other) })).toBe("InvalidWallet");
        expect(judge({}, { saleUuid: randomUUID().replaceAll("-", "") })).toBe("InvalidSaleUuid");
        expect(judge({ lockup: false })).toBe(permit.payload[0] === 1 ? "BidMustHaveLockup" : "accepted");
      }),
      { numRuns: 30 },
    );
  });

  it("is refused after the change of any bit, and under any other key", async () => {
    const [key, another] = [await newKey(), await newKey()];
    await fc.assert(
      fc.asyncProperty(permits, fc.nat(), async (permit, choice) => {
        const { sale, bid } = await allowed(key, permit);
        expect(judgeSvmBid({ ...sale, permitSigner: another.address }, bid)).toBe("UnauthorizedSigner");
        const message = Buffer.from(bid.message);
        const bit = choice % (8 * message.length);
        message[bit >> 3] = (message[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(judgeSvmBid(sale, { ...bid, message })).toBe("UnauthorizedSigner");
      }),
      { numRuns: 30 },
    );
  });

  it("has the vector's signature under the vector's public key", () => {
    const message = Buffer.from(
      "1234567890abcdef1234567890abcdef111111111111411181111111111111110707070707070707070707070707070707070707070707070707070707070707800092650000000000ca9a3b0000000000d6117e030000000500000000000000640000000000000060e491650000000000529365000000000100000000",
      "hex",
    );
    const sale = {
      permitSigner: Buffer.from("8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c", "hex"),
      saleUuid: "11111111111141118111111111111111",
      now: 1_704_060_000n,
    };
    const signature = Buffer.from(
      "ba0c47c110747d449d5d9143f3b917214856a6884d7ab6d19ca742e7184251bdbec9bfc96f9c10f4c0a844b9684ea6f0f683227a9026f6dad7d1a49addd75000",
      "hex",
    );
    const bid = { message, signature, bidder: "07".repeat(32), amount: 1_000_000_000n, price: 5n, lockup: false };
    expect(judgeSvmBid(sale, bid)).toBe("accepted");
    expect(judgeSvmBid(sale, { ...bid, price: 101n })).toBe("PriceExceedsMaxPrice");
  });
});
