import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commitmentDigest, type DigestedCommitment } from "./commitment-digest.ts";

/** An amount whose four 64-bit words differ. */
const LARGE_HEX = "f123456789abcdef8765432112345678c0ffee00deadbeef0011223344556677";

const base: DigestedCommitment = {
  commitmentId: "0123456789abcdef0123456789abcdef00000000000000000000000000000000",
  entityId: "0123456789abcdef0123456789abcdef",
  createdAtSeconds: 1_769_860_800n,
  priceTicks: 2n ** 64n - 1n,
  lockup: true,
  refunded: false,
  amounts: [
    { wallet: "0xb", token: "0xd", amount: BigInt(`0x${LARGE_HEX}`) },
    { wallet: "0xa", token: "0xc", amount: 5n },
    { wallet: "0xa", token: "0xc", amount: 0n },
  ],
  extraData: Uint8Array.of(0xca, 0xfe),
};

const empty: DigestedCommitment = {
  commitmentId: "0".repeat(64),
  entityId: "0".repeat(32),
  createdAtSeconds: 0n,
  priceTicks: 0n,
  lockup: false,
  refunded: false,
  amounts: [],
  extraData: new Uint8Array(),
};

function digest(change: Partial<DigestedCommitment> = {}): string {
  return commitmentDigest({ ...base, ...change });
}

function digestOfForm(...fields: readonly string[]): string {
  return createHash("sha256").update(fields.join(""), "hex").digest("hex").slice(0, 32);
}

describe("commitmentDigest", () => {
  it("hashes the documented form", () => {
    const short = (text: string) => `0003${text}`;
    const [a, b, c, d] = ["307861", "307862", "307863", "307864"].map(short);
    const small = (digits: string) => digits.padStart(64, "0");
    const form = ["01", base.commitmentId, base.entityId, "00000000697deec0", "f".repeat(16), "01", "00000003"];
    form.push(`${a}${c}${small("")}`, `${a}${c}${small("5")}`, `${b}${d}${LARGE_HEX}`);
    form.push("00000002", "cafe");
    expect(digest()).toBe(digestOfForm(...form));
  });

  it("hashes ticks beyond 64 bits in a form of their own", () => {
    const head = ["0".repeat(64), "0".repeat(32), "0".repeat(16)];
    const rest = ["00", "00000000", "00000000"];
    const narrow = { ...empty, priceTicks: 2n ** 64n - 1n };
    expect(commitmentDigest(narrow)).toBe(digestOfForm("01", ...head, "f".repeat(16), ...rest));
    for (const [priceTicks, digits] of [
      [2n ** 64n, `01${"0".repeat(16)}`],
      [2n ** 96n + 7n, `01${"0".repeat(23)}7`],
      [2n ** 160n - 1n, "f".repeat(40)],
    ] as const) {
      const form = digestOfForm("02", ...head, digits.padStart(40, "0"), ...rest);
      expect(commitmentDigest({ ...empty, priceTicks })).toBe(form);
    }
  });

  it("hashes accepted amounts after the form without them", () => {
    const accepted = [
      { wallet: "0xb", token: "0xd", amount: 2n },
      { wallet: "0xa", token: "0xd", amount: 1n },
    ];
    const amount = (wallet: string, digit: string) => `0003${wallet}0003307864${digit.padStart(64, "0")}`;
    const head = ["01", "0".repeat(64), "0".repeat(32), "0".repeat(32), "00", "00000000", "00000000"];
    const tail = ["00000002", amount("307861", "1"), amount("307862", "2")];
    expect(commitmentDigest({ ...empty, accepted })).toBe(digestOfForm(...head, ...tail));
    expect(commitmentDigest({ ...empty, accepted: [] })).toBe(commitmentDigest(empty));
  });

  it("hashes a demand in forms of their own, before accepted amounts", () => {
    const head = ["0".repeat(64), "0".repeat(32), "0".repeat(16)];
    const rest = ["00", "00000000", "00000000"];
    const zero = "0".repeat(64);
    expect(commitmentDigest({ ...empty, demand: 0n })).toBe(digestOfForm("03", ...head, "0".repeat(16), ...rest, zero));
    const wide = { ...empty, priceTicks: 2n ** 160n - 1n, demand: 2n ** 256n - 1n };
    const form = ["04", ...head, "f".repeat(40), ...rest, "f".repeat(64)];
    expect(commitmentDigest(wide)).toBe(digestOfForm(...form));
    const accepted = [{ wallet: "0xb", token: "0xd", amount: 2n }];
    const amount = `00033078620003307864${"2".padStart(64, "0")}`;
    expect(commitmentDigest({ ...wide, accepted })).toBe(digestOfForm(...form, "00000001", amount));
  });

  it("keeps its fixed vectors", () => {
    expect(commitmentDigest(empty)).toBe("b43f983c60d967ca0fa5f486423d09f3");
    expect(digest()).toBe("f376dc087f63601c45b7f549730f9cdd");
  });

  it.each<[string, Partial<DigestedCommitment>]>([
    ["the commitment ID", { commitmentId: "1".repeat(64) }],
    ["the entity ID", { entityId: "1".repeat(32) }],
    ["the creation time", { createdAtSeconds: 1n }],
    ["the ticks", { priceTicks: 1n }],
    ["lockup", { lockup: false }],
    ["refunded", { refunded: true }],
    ["an amount", { amounts: [{ wallet: "0xb", token: "0xd", amount: 1n }, ...base.amounts.slice(1)] }],
    ["a zero amount that is gone", { amounts: base.amounts.slice(0, 2) }],
    ["the border of wallet and token", { amounts: [{ wallet: "0xb0", token: "xd", amount: 1n }] }],
    ["the extra data", { extraData: Uint8Array.of(0xca, 0xfe, 0) }],
    ["a demand, of 0 too", { demand: 0n }],
    ["an accepted amount", { accepted: [{ wallet: "0xb", token: "0xd", amount: 1n }] }],
  ])("changes with %s", (_, change) => {
    expect(digest(change)).not.toBe(digest());
  });

  it("keeps the border between wallet and token", () => {
    const split = (wallet: string, token: string) => digest({ amounts: [{ wallet, token, amount: 1n }] });
    expect(split("ab", "c")).not.toBe(split("a", "bc"));
  });

  it("leaves the source index out", () => {
    expect(commitmentDigest({ ...base, sourceIndex: 7n } as DigestedCommitment)).toBe(digest());
  });

  it("does not depend on what was digested before, nor on the record's size", () => {
    const large = { extraData: new Uint8Array(65_536).fill(7) };
    const first = digest(large);
    expect(digest(large)).toBe(first);
    expect(commitmentDigest(empty)).toBe("b43f983c60d967ca0fa5f486423d09f3");
  });

  it("is the same for every order of the amounts", () => {
    const amount = fc.record({
      wallet: fc.constantFrom("0xa", "0xb", "0xc"),
      token: fc.constantFrom("0xd", "0xe"),
      amount: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    });
    const shuffled = fc
      .array(amount, { maxLength: 20 })
      .chain((amounts) =>
        fc.tuple(
          fc.constant(amounts),
          fc.shuffledSubarray(amounts, { minLength: amounts.length, maxLength: amounts.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([amounts, reordered]) => {
        expect(digest({ amounts: reordered })).toBe(digest({ amounts }));
      }),
    );
  });

  it("differs for any two different amounts", () => {
    const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const of = (amount: bigint) => digest({ amounts: [{ wallet: "0xa", token: "0xc", amount }] });
    fc.assert(
      fc.property(uint256, fc.nat(255), (amount, bit) => {
        expect(of(amount ^ (1n << BigInt(bit)))).not.toBe(of(amount));
      }),
    );
  });

  it.each<[string, Partial<DigestedCommitment>]>([
    ["a short ID", { commitmentId: "00" }],
    ["a long ID", { commitmentId: "0".repeat(66) }],
    ["an ID that isn't hex", { entityId: `${"0".repeat(31)}g` }],
    ["ticks beyond 160 bits", { priceTicks: 2n ** 160n }],
    ["negative ticks", { priceTicks: -1n }],
    ["a negative time", { createdAtSeconds: -1n }],
    ["an amount beyond uint256", { amounts: [{ wallet: "0xa", token: "0xc", amount: 2n ** 256n }] }],
    ["a demand beyond uint256", { demand: 2n ** 256n }],
    ["a negative demand", { demand: -1n }],
    ["a negative amount", { amounts: [{ wallet: "0xa", token: "0xc", amount: -1n }] }],
  ])("refuses %s", (_, change) => {
    expect(() => digest(change)).toThrow(RangeError);
  });
});
