import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { CommitmentRecordSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { ListedCommitmentSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { ClearingRule, SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { exactFormat } from "./commitment-csv.ts";

const ENTITY = `0x${"0e".repeat(16)}`;
const ID = `0x${"0d".repeat(32)}`;

interface Amount {
  wallet: string;
  token: string;
  amount: string;
}

/** @param accepted undefined where the contract doesn't say it */
function linesOf(amounts: Amount[], accepted?: Amount[], refunded = false): string[] {
  const record = create(CommitmentRecordSchema, {
    commitmentId: new Uint8Array(32).fill(13),
    entityId: new Uint8Array(16).fill(14),
    createdAtSeconds: 253_402_300_799n,
    priceTicks: String(2n ** 64n - 1n),
    lockup: true,
    amounts,
    accepted: accepted ?? [],
    refunded,
    extraData: new Uint8Array([0, 255]),
  });
  const listed = create(ListedCommitmentSchema, { record, active: true, amount: "7" });
  return [...exactFormat(undefined).records(listed, accepted !== undefined)];
}

describe("the exact format", () => {
  it("has a line for each wallet and token, exact to the last digit", () => {
    const max = (2n ** 256n - 1n).toString();
    const lines = linesOf([
      { wallet: "0xb1", token: "0xa1", amount: max },
      { wallet: "0xb2", token: "0xa1", amount: "0" },
    ]);
    const rest = `${ID},9999-12-31T23:59:59Z,18446744073709551615,true`;
    expect(lines).toEqual([
      `${ENTITY},0xb1,0xa1,${rest},${max},false,true,0x00ff,,\r\n`,
      `${ENTITY},0xb2,0xa1,${rest},0,false,true,0x00ff,,\r\n`,
    ]);
  });

  it("has what is accepted and was paid back of each, once the contract says it", () => {
    const of = (wallet: string, amount: string) => ({ wallet, token: "0xa1", amount });
    const tails = (lines: string[]) => lines.map((line) => line.trimEnd().split(",").slice(-2).join());
    const amounts = [of("0xb1", "10"), of("0xb2", "5")];
    expect(tails(linesOf(amounts, [of("0xb1", "4")]))).toEqual(["4,0", "0,0"]);
    const lines = linesOf(amounts, [of("0xb1", "4"), of("0xb3", "1")], true);
    expect(tails(lines)).toEqual(["4,6", "0,5", "1,0"]);
    expect(lines[2]).toMatch(/,0xb3,0xa1,.*,0,true,true,0x00ff,1,0\r\n$/);
  });

  it("has one line for a commitment without amounts", () => {
    expect(linesOf([])).toEqual([
      `${ENTITY},,,${ID},9999-12-31T23:59:59Z,18446744073709551615,true,,false,true,0x00ff,,\r\n`,
    ]);
  });

  it("has no field that a spreadsheet would treat as a formula", () => {
    const [line = ""] = linesOf([
      { wallet: "0xb1", token: "So11111111111111111111111111111111111111112", amount: "7" },
    ]);
    for (const field of line.trimEnd().split(",")) expect(field).toMatch(/^([0-9A-Za-z]|$)/);
  });

  it("has as many fields as the header", () => {
    expect(linesOf([])[0]?.split(",")).toHaveLength(exactFormat(undefined).header.split(",").length);
  });

  it("has a demand only in a sale whose bids may have one, in its last column", () => {
    const formatWith = (clearingRule: ClearingRule) =>
      exactFormat(create(SaleDefinitionSchema, { pricing: { case: "auction", value: { clearingRule } } }));
    expect(formatWith(ClearingRule.UNSPECIFIED).header).toMatch(/,paid_back\r\n$/);
    const { header, records } = formatWith(ClearingRule.LOWEST_NOT_OUTBID);
    expect(header).toMatch(/,paid_back,demand\r\n$/);
    const lineOf = (demand: string) =>
      [...records(create(ListedCommitmentSchema, { record: { demand } }), false)].join("");
    expect(lineOf("")).toMatch(/,0x,,,\r\n$/);
    expect(lineOf("0")).toMatch(/,0x,,,0\r\n$/);
  });
});
