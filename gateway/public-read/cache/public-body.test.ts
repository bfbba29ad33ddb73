import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CommitmentData, CommitmentDataSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { publicBody } from "./public-body.ts";

const MAX_UINT64 = 2n ** 64n - 1n;
const MAX_SECONDS = 253_402_300_799n;

function text(data: CommitmentData): string {
  const body = publicBody(data);
  const bytes = body.bytes();
  expect(body.byteLength).toBe(bytes.length);
  return bytes.toString("utf8");
}

describe("publicBody", () => {
  it("writes every field of an auction in the form of the interface", () => {
    const data = create(CommitmentDataSchema, {
      commitments: [
        {
          commitmentId: new Uint8Array(32).fill(0xab),
          entityId: new Uint8Array(16).fill(0x0f),
          price: { numerator: "3", denominator: "1000000000000" },
          priceMicroUsd: "3000000",
          amounts: [{ wallet: "0xaa", token: "0xbb", amount: "340282366920938463463374607431768211456" }],
          createdAtSeconds: 1_769_860_800n,
          extraData: Uint8Array.of(0, 255),
          extraDataParsed: { tier: "Größe €😀", open: true, list: ["a"] },
        },
      ],
      totalAmount: "7",
      commitmentCount: 1n,
      paymentTokenDecimals: 6,
      offeredTokenDecimals: 18,
      clearingPrice: { price: { numerator: "2", denominator: "1000000000000" }, microUsd: "2000000" },
      belowFloorAmount: "5",
    });
    expect(JSON.parse(text(data))).toStrictEqual({
      Commitments: [
        {
          CommitmentID: `0x${"ab".repeat(32)}`,
          SaleSpecificEntityID: `0x${"0f".repeat(16)}`,
          PriceNumerator: "3",
          PriceDenominator: "1000000000000",
          PriceMicroUSD: "3000000",
          Amounts: [{ Wallet: "0xaa", TokenAddress: "0xbb", Amount: "340282366920938463463374607431768211456" }],
          CreatedAt: "2026-01-31T12:00:00Z",
          ExtraDataRaw: "0x00ff",
          ExtraDataParsed: { tier: "Größe €😀", open: true, list: ["a"] },
        },
      ],
      TotalCommitmentAmount: "7",
      UniqueCommitmentCount: 1,
      PaymentTokenDecimals: 6,
      OfferedTokenDecimals: 18,
      ClearingPriceNumerator: "2",
      ClearingPriceDenominator: "1000000000000",
      ClearingPriceMicroUSD: "2000000",
      BelowFloorAmount: "5",
    });
  });

  it("leaves out what is optional and writes what is required for an empty fixed-price sale", () => {
    const data = create(CommitmentDataSchema, { totalAmount: "0" });
    expect(text(data)).toBe(
      '{"Commitments":[],"TotalCommitmentAmount":"0","UniqueCommitmentCount":0,"PaymentTokenDecimals":0}',
    );
  });

  it.each(["", "0"])("leaves out nothing that is bid below the floor: %j", (belowFloorAmount) => {
    const clearingPrice = { price: { numerator: "1", denominator: "2" } };
    expect(text(create(CommitmentDataSchema, { clearingPrice, belowFloorAmount }))).not.toContain("BelowFloor");
  });

  it("leaves micro-USD out alone", () => {
    const price = { numerator: "1", denominator: "2" };
    const parsed = JSON.parse(
      text(create(CommitmentDataSchema, { commitments: [{ price }], clearingPrice: { price } })),
    );
    expect(Object.keys(parsed)).not.toContain("ClearingPriceMicroUSD");
    expect(Object.keys(parsed.Commitments[0])).not.toContain("PriceMicroUSD");
    expect(parsed.Commitments[0]).toMatchObject({ Amounts: [], ExtraDataRaw: "0x", ExtraDataParsed: {} });
  });

  it("writes a count beyond 2^53 exactly, and the first and last time", () => {
    const commitments = [0n, MAX_SECONDS].map((createdAtSeconds) => ({
      createdAtSeconds,
      price: { numerator: "1", denominator: "1" },
    }));
    const body = text(create(CommitmentDataSchema, { commitments, commitmentCount: MAX_UINT64 }));
    expect(body).toContain('"UniqueCommitmentCount":18446744073709551615,');
    expect(body).toContain('"CreatedAt":"1970-01-01T00:00:00Z"');
    expect(body).toContain('"CreatedAt":"9999-12-31T23:59:59Z"');
  });

  it("refuses a message that breaks its contract", () => {
    const price = { numerator: "1", denominator: "1" };
    const late = { commitments: [{ price, createdAtSeconds: MAX_SECONDS + 1n }] };
    expect(() => text(create(CommitmentDataSchema, late))).toThrow(/beyond year 9999/);
    expect(() => text(create(CommitmentDataSchema, { commitments: [{}] }))).toThrow(/commitments\.price/);
    expect(() => text(create(CommitmentDataSchema, { clearingPrice: {} }))).toThrow(/clearing_price\.price/);
  });

  it("keeps every text what it was, whatever it holds", () => {
    // Texts that carry JSON syntax, controls and any Unicode; a wrong escape would break the parse or the equality.
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom('"', "\\", '","x":"', "\u2028", "</script>"),
    );
    // No backslash in keys: once V8 has parsed one, it takes other escaped keys for it (nodejs/node#63785).
    const anyKey = anyText.filter((key) => !key.includes("\\"));
    const commitment = fc.record({
      price: fc.record({ numerator: anyText, denominator: anyText }),
      priceMicroUsd: fc.option(anyText, { nil: undefined }),
      amounts: fc.array(fc.record({ wallet: anyText, token: anyText, amount: anyText }), { maxLength: 3 }),
      createdAtSeconds: fc.bigInt(0n, MAX_SECONDS),
      extraData: fc.uint8Array({ maxLength: 40 }),
      extraDataParsed: fc.dictionary(anyKey, fc.oneof(anyText, fc.boolean()), { noNullPrototype: true }),
    });
    fc.assert(
      fc.property(fc.array(commitment, { maxLength: 4 }), anyText, fc.bigInt(0n, MAX_UINT64), (rows, total, count) => {
        const init = { totalAmount: total, commitmentCount: count };
        const data = create(CommitmentDataSchema, { ...init, commitments: rows.map(withoutUndefined) });
        const body = text(data);
        const parsed = JSON.parse(body);
        expect(parsed.TotalCommitmentAmount).toBe(total);
        expect(body).toContain(`"UniqueCommitmentCount":${count},`);
        expect(parsed.Commitments).toStrictEqual(rows.map(expectedCommitment));
      }),
    );
  });
});

interface Row {
  readonly price: { readonly numerator: string; readonly denominator: string };
  readonly priceMicroUsd: string | undefined;
  readonly amounts: readonly { readonly wallet: string; readonly token: string; readonly amount: string }[];
  readonly createdAtSeconds: bigint;
  readonly extraData: Uint8Array;
  readonly extraDataParsed: Record<string, string | boolean>;
}

function withoutUndefined({ priceMicroUsd, amounts, ...row }: Row) {
  return { ...row, amounts: [...amounts], ...(priceMicroUsd === undefined ? {} : { priceMicroUsd }) };
}

/** Written apart from the code under test: bytes by `toString(16)`, the time by the calendar of `Date`. */
function expectedCommitment(row: Row) {
  const at = new Date(Number(row.createdAtSeconds * 1000n));
  const digits = (value: number, width: number) => String(value).padStart(width, "0");
  const date = [digits(at.getUTCFullYear(), 4), digits(at.getUTCMonth() + 1, 2), digits(at.getUTCDate(), 2)].join("-");
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map((value) => digits(value, 2)).join(":");
  return {
    CommitmentID: "0x",
    SaleSpecificEntityID: "0x",
    PriceNumerator: row.price.numerator,
    PriceDenominator: row.price.denominator,
    ...(row.priceMicroUsd === undefined ? {} : { PriceMicroUSD: row.priceMicroUsd }),
    Amounts: row.amounts.map(({ wallet, token, amount }) => ({ Wallet: wallet, TokenAddress: token, Amount: amount })),
    CreatedAt: `${date}T${time}Z`,
    ExtraDataRaw: `0x${Array.from(row.extraData, (byte) => byte.toString(16).padStart(2, "0")).join("")}`,
    ExtraDataParsed: row.extraDataParsed,
  };
}
