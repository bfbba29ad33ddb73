import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { exactFormat } from "../../../common/sale/csv/commitment-csv.ts";
import {
  type CommitmentRecord,
  CommitmentRecordSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { ListedCommitmentSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { ClearingRule, SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { ImportFile } from "./commitment-file.ts";

const TOKENS = ["0xA1", "So11111111111111111111111111111111111111112"];
const signal = new AbortController().signal;
const ID = `0x${"0d".repeat(32)}`;
const ENTITY = `0x${"0e".repeat(16)}`;
const HEADER = "entity_id,wallet,token,commitment_id,created_at,amount\n";
const row = (change: Partial<Record<"entity" | "wallet" | "token" | "id" | "time" | "amount", string>> = {}) => {
  const { entity = ENTITY, wallet = "0xb1", token = "0xa1", id = ID, time = "5", amount = "7" } = change;
  return `${entity},${wallet},${token},${id},${time},${amount}\n`;
};
const line = (change: object = {}) =>
  `${JSON.stringify({ commitment_id: ID, entity_id: ENTITY, created_at: "2026-01-31T12:00:00Z", amounts: [], ...change })}\n`;

async function fileOf(text: string, name = "rows.csv"): Promise<ImportFile> {
  const folder = await mkdtemp(join(tmpdir(), "import-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), text);
  return new ImportFile(join(folder, name));
}

async function recordsOf(text: string, name?: string): Promise<CommitmentRecord[]> {
  return Array.fromAsync((await fileOf(text, name)).commitments(), ({ record }) => record);
}

async function refusal(text: string, name?: string): Promise<string> {
  const file = await fileOf(text, name);
  return file.check(TOKENS, signal).then(
    () => "taken",
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

/** A sale whose bids may have a demand, which is in a file of its own column. */
const OUTBIDDING = create(SaleDefinitionSchema, {
  pricing: { case: "auction", value: { clearingRule: ClearingRule.LOWEST_NOT_OUTBID } },
});
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const anyRecord = fc.record({
  commitmentId: bytes(32),
  entityId: bytes(16),
  createdAtSeconds: fc.bigInt({ min: 0n, max: 253_402_300_799n }),
  priceTicks: fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.bigInt(0n, 2n ** 160n - 1n)).map(String),
  lockup: fc.boolean(),
  refunded: fc.boolean(),
  extraData: fc.uint8Array({ maxLength: 40 }),
  demand: fc.oneof(fc.constant(""), fc.bigInt(0n, 2n ** 256n - 1n).map(String)),
  amounts: fc.array(
    fc.record({
      wallet: fc.constantFrom("0xb1", "0xb2"),
      token: fc.constantFrom("0xA1", "0xa1"),
      amount: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
    }),
    { maxLength: 3 },
  ),
});

describe("a file of commitments", () => {
  it("reads back every export", async () => {
    const anyRecords = fc.uniqueArray(anyRecord, {
      minLength: 1,
      maxLength: 5,
      selector: ({ commitmentId }) => commitmentId.join(),
    });
    await fc.assert(
      fc.asyncProperty(anyRecords, async (inits) => {
        const records = inits.map((init) => create(CommitmentRecordSchema, init));
        const listed = records.map((record) => create(ListedCommitmentSchema, { record, active: true }));
        const { header, records: linesOf } = exactFormat(OUTBIDDING);
        const csv = header + listed.flatMap((each) => [...linesOf(each, false)]).join("");
        expect(await recordsOf(csv)).toEqual(records);
      }),
      { numRuns: 50 },
    );
  });

  it("reads JSON lines to the same records", async () => {
    const amounts = [{ wallet: "0xb1", token: "0xa1", amount: "7" }];
    const [record] = await recordsOf(`${line({ amounts, price_ticks: 3, lockup: true })}\n`, "rows.jsonl");
    expect(record).toMatchObject({
      priceTicks: "3",
      lockup: true,
      refunded: false,
      createdAtSeconds: 1_769_860_800n,
      amounts,
    });
    expect(await recordsOf(line().trimEnd(), "rows.ndjson")).toHaveLength(1);
  });

  it("says what it holds", async () => {
    const other = `0x${"0f".repeat(32)}`;
    const csv = HEADER + row() + row({ wallet: "0xb2", token: "0xA1", amount: "5" }) + row({ id: other, amount: "1" });
    const { digest, ...summary } = await (await fileOf(csv)).check(TOKENS, signal);
    expect(summary).toEqual({ commitments: 2n, entities: 1n, totals: new Map([["0xa1", 13n]]) });
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ["", "taken"],
    ["entity_id,wallet\n", "ImportError: line 1: the header lacks commitment_id, created_at, token, amount"],
    [`x,${HEADER}`, 'ImportError: line 1: the column "x" is unknown or repeated'],
    [`wallet,${HEADER}`, 'ImportError: line 1: the column "wallet" is unknown or repeated'],
    [HEADER + row({ id: "0x00" }), 'ImportError: line 2: commitment_id must be 0x and 32 bytes in hex, not "0x00"'],
    [HEADER + row({ time: "soon" }), "ImportError: line 2: created_at must be a time such as 2026-01-31T12:00:00Z"],
    [HEADER + row({ amount: "-1" }), `ImportError: line 2: amount must be a whole number up to ${2n ** 256n - 1n}`],
    [HEADER + row({ amount: `${2n ** 256n}` }), "ImportError: line 2: amount must be a whole number"],
    [HEADER + row({ token: "0xa2" }), 'ImportError: line 2: the sale has no payment token "0xa2"'],
    [HEADER + row() + row({ time: "6" }), "ImportError: line 3: created_at differs from the line before"],
    [
      HEADER + row({ wallet: "", token: "", amount: "" }) + row(),
      "ImportError: line 3: a commitment without amounts has one line only",
    ],
    [
      HEADER + row() + row({ id: `0x${"0f".repeat(32)}` }) + row(),
      "ImportError: line 4: the commitment_id is that of line 2",
    ],
    [`${HEADER}a,b\n`, "ImportError: line 2: Invalid Record Length"],
  ])("refuses the CSV %j", async (csv, reason) => {
    expect((await refusal(csv)).slice(0, reason.length)).toBe(reason);
  });

  it.each([
    ["[]", "line 1: expected a JSON object"],
    [`${line()}{`, "line 2: it is no JSON"],
    [line({ amounts: undefined }), "line 1: amounts must be a list"],
    [line({ amounts: [{ wallet: "0xb1", token: "0xa1" }] }), "line 1: amount is missing"],
    [line({ entity_id: undefined }), "line 1: entity_id is missing"],
    [line({ price_ticks: 2 ** 60 }), "line 1: price_ticks must be text; whole numbers above 2^53 too"],
    [line({ price: "1" }), 'line 1: the field "price" is unknown'],
    [line({ lockup: "yes" }), 'line 1: lockup must be true or false, not "yes"'],
  ])("refuses the JSON lines %j", async (json, reason) => {
    expect(await refusal(json, "rows.jsonl")).toBe(`ImportError: ${reason}`);
  });

  it("names the error of a missing file", async () => {
    await expect(new ImportFile("/nowhere.csv").check(TOKENS, signal)).rejects.toMatchObject({ code: "ENOENT" });
  });
});
