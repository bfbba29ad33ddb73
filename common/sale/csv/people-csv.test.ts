import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { CommitmentRecordSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { ListedCommitmentSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { peopleFormat } from "./people-csv.ts";
import { ZoneTimes } from "./zone-times.ts";

const USDC = { address: `0x${"A1".repeat(20)}`, decimals: 6, symbol: "USDC" };
const WETH = { address: `0x${"b2".repeat(20)}`, decimals: 18, symbol: "WETH" };
const [ENTITY, ID] = [`0x${"0e".repeat(16)}`, `0x${"0d".repeat(32)}`];
const WALLET = `0x${"c3".repeat(20)}`;

function definition(tokens = [USDC], denominator = `1${"0".repeat(14)}`, change: object = {}) {
  return create(SaleDefinitionSchema, {
    paymentTokens: tokens,
    paymentTokenDecimals: 6,
    offeredTokenDecimals: 18,
    priceTick: { numerator: "1", denominator },
    pricing: { case: "auction", value: { offeredAmount: "1", floorTicks: "1", incrementTicks: "1" } },
    ...change,
  });
}

function listed(amounts: readonly { wallet: string; token: string; amount: string }[], change: object = {}) {
  const record = create(CommitmentRecordSchema, {
    commitmentId: new Uint8Array(32).fill(13),
    entityId: new Uint8Array(16).fill(14),
    createdAtSeconds: 1_769_860_800n,
    priceTicks: "25",
    lockup: true,
    amounts: [...amounts],
    ...change,
  });
  return create(ListedCommitmentSchema, { record, active: true, amount: "7" });
}

function linesOf(of = definition(), commitment = listed([]), zone = "UTC", saysAccepted = false): readonly string[] {
  return [...peopleFormat(of, new ZoneTimes(zone)).records(commitment, saysAccepted)];
}

const paid = (amount: string, token = USDC.address.toLowerCase()) => ({ wallet: WALLET, token, amount });

describe("CSV for people", () => {
  it("has amounts in whole tokens, symbols, and times of the chosen zone", () => {
    const of = definition([USDC, WETH]);
    const commitment = listed([paid("1234560000"), paid("1", WETH.address)]);
    const { header } = peopleFormat(of, new ZoneTimes("Europe/Berlin"));
    expect(header).toBe(
      "\ufeffTime (Europe/Berlin),Ahead of UTC,Wallet,Amount,Symbol,Price (payment tokens per token),Counts,Refunded,Lockup,Entity,Commitment,Token,Accepted,Paid back\r\n",
    );
    const start = `2026-01-31 13:00:00,UTC+01:00,${WALLET}`;
    const rest = `0.25,yes,no,yes,${ENTITY},${ID}`;
    expect(linesOf(of, commitment, "Europe/Berlin")).toEqual([
      `${start},1234.56,USDC,${rest},${USDC.address.toLowerCase()},,\r\n`,
      `${start},0.000000000000000001,WETH,${rest},${WETH.address},,\r\n`,
    ]);
  });

  it("has what is accepted and was paid back in whole tokens, once the contract says it", () => {
    const commitment = listed([paid("10000000")], { accepted: [paid("4500000")], refunded: true });
    expect(linesOf(definition(), commitment, "UTC", true)[0]).toMatch(/,4\.5,5\.5\r\n$/);
    expect(linesOf(definition(), listed([paid("10000000")]), "UTC", true)[0]).toMatch(/,0,0\r\n$/);
  });

  it("keeps every digit of amounts", () => {
    const max = (2n ** 256n - 1n).toString();
    expect(linesOf(definition(), listed([paid(max)]))[0]).toContain(`,${max.slice(0, -6)}.${max.slice(-6)},USDC,`);
    expect(linesOf(definition([{ ...USDC, decimals: 0 }]), listed([paid("70")]))[0]).toContain(",70,USDC,");
    expect(linesOf(definition(), listed([paid("0")]))[0]).toContain(",0,USDC,");
  });

  it("has one line for a commitment without amounts", () => {
    expect(linesOf()).toEqual([`2026-01-31 12:00:00,UTC+00:00,,,,0.25,yes,no,yes,${ENTITY},${ID},,,\r\n`]);
  });

  it("writes a price that never ends as a decimal, rounded down, and the sale's own where bids have none", () => {
    const thirds = definition([USDC], `3${"0".repeat(12)}`);
    expect(linesOf(thirds, listed([], { priceTicks: 1n }))[0]).toContain(",0.333333333333333333,yes");
    const pricing = { case: "fixed", value: { priceTicks: 50n } };
    expect(linesOf(definition([USDC], undefined, { pricing }), listed([], { priceTicks: 0n }))[0]).toContain(
      ",0.5,yes",
    );
    const unknown = definition([USDC], "1", { offeredTokenDecimals: undefined });
    expect(peopleFormat(unknown, new ZoneTimes("UTC")).header).toContain("Price (USDC per smallest unit)");
  });

  it("has no field that a spreadsheet would run, whatever a token calls itself", () => {
    for (const symbol of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", '=HYPERLINK("x")']) {
      const of = definition([{ ...USDC, symbol }]);
      const { header } = peopleFormat(of, new ZoneTimes("UTC"));
      const [line = ""] = linesOf(of, listed([paid("1")]));
      for (const field of `${header}${line}`.split(/,|\r\n/)) expect(field).not.toMatch(/^"?[=+\-@\t\r]/);
    }
  });
});
