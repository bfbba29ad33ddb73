import { Buffer } from "node:buffer";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GroupMember, GroupMemberSchema } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { MAX_ROWS } from "./csv-rows.ts";
import { PARTICIPANT_CSV_HEADER, participantCsv, WALLET_CSV_HEADER, walletCsv } from "./participant-csv.ts";
import { ParticipantFileError } from "./participant-file-error.ts";
import { isProblem, type MemberInit, participantRows } from "./participant-rows.ts";
import { fieldOfSpreadsheet, spreadsheetField } from "./spreadsheet-field.ts";
import { MAX_LINE_BYTES } from "./utf8-lines.ts";
import { walletRows } from "./wallet-rows.ts";

const UUIDS = ["1", "2", "3"].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
const [GROUP_UUID = ""] = UUIDS;
const GROUPS = [{ uuid: GROUP_UUID, name: "Early" }];
const HEADER = "email,wallet,entity,group,min_amount,max_amount\n";
const ENTITY = `0x${"0e".repeat(16)}`;

async function* inChunks(bytes: Uint8Array, size = bytes.length || 1) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function rowsOf(content: string | Uint8Array, groups = GROUPS, size?: number) {
  const rows = [];
  for await (const row of participantRows(inChunks(Buffer.from(content), size), groups)) rows.push(row);
  return rows;
}

async function failureOf(rows: Promise<unknown>): Promise<ParticipantFileError> {
  const error = await rows.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ParticipantFileError) return error;
  throw error ?? new Error("the file was expected to be refused");
}

const problemsOf = async (lines: string) =>
  (await rowsOf(HEADER + lines)).map((row) => (isProblem(row) ? [row.line, row.field] : undefined));

describe("participantRows", () => {
  it("reads a member by e-mail, wallet or entity, with its group and bounds", async () => {
    const lines = ["a@example.com,,,Early,1,2", ",0xab,,Early,,", `,,${ENTITY},${GROUP_UUID.toUpperCase()},,5`];
    const expected = [
      {
        line: 2,
        member: {
          groupUuid: GROUP_UUID,
          key: { case: "email", value: "a@example.com" },
          minAmount: "1",
          maxAmount: "2",
        },
      },
      {
        line: 3,
        member: { groupUuid: GROUP_UUID, key: { case: "wallet", value: "0xab" }, minAmount: "", maxAmount: "" },
      },
      {
        line: 4,
        member: {
          groupUuid: GROUP_UUID,
          key: { case: "saleSpecificEntityId", value: new Uint8Array(16).fill(14) },
          minAmount: "",
          maxAmount: "5",
        },
      },
    ];
    for (const end of ["\n", "\r\n"]) {
      expect(await rowsOf([HEADER.trim(), ...lines].join(end))).toEqual(expected);
    }
  });

  it("takes columns in any order and case, of which only the group is needed, and the semicolons of spreadsheets", async () => {
    const expected = [
      {
        line: 2,
        member: { groupUuid: GROUP_UUID, key: { case: "email", value: "a@b.co" }, minAmount: "", maxAmount: "" },
      },
    ];
    for (const file of [
      "Group, Email\nEarly , a@b.co",
      "\ufeffgroup;email\nEarly;a@b.co",
      "group\temail\nEarly\ta@b.co",
      'group,email\n"Early","a@b.co"\n,\n\n',
    ]) {
      expect(await rowsOf(file)).toEqual(expected);
    }
  });

  it("names each mistake with its line and column", async () => {
    const lines = [
      ",,,Early,,",
      "a@b.co,0xab,,Early,,",
      "a@b.co,,,Late,,",
      "a@b.co,,,Early,-1,",
      "a@b.co,,,Early,,1E+21",
      ",,0x12,Early,,",
      `${"x".repeat(255)},,,Early,,`,
      "fine@b.co,,,Early,,",
    ];
    expect(await problemsOf(lines.join("\n"))).toEqual([
      [2, "email"],
      [3, "wallet"],
      [4, "group"],
      [5, "min_amount"],
      [6, "max_amount"],
      [7, "entity"],
      [8, "email"],
      undefined,
    ]);
  });

  it.each([
    ["nothing", "", "empty"],
    ["no group", "email\na@b.co", "lacks group"],
    ["an unknown column", "email,group,vip\n", '"vip" is unknown'],
    ["a column twice", "email,group,email\n", "repeated"],
    ["more fields than columns", `${HEADER}a@b.co,,,Early,,,x`, "Invalid Record Length"],
    ["a quotation that never ends", `${HEADER}"a@b.co,,,Early,,\n${"x\n".repeat(9_000)}`, "line 2"],
  ])("refuses a file with %s", async (_, file, words) => {
    expect((await failureOf(rowsOf(file))).message).toContain(words);
  });

  it("refuses a file with more rows than it may have", async () => {
    const file = `wallet\n${"a\n".repeat(MAX_ROWS + 1)}`;
    const reading = (async () => {
      for await (const _ of walletRows(inChunks(Buffer.from(file))));
    })();
    expect((await failureOf(reading)).line).toBe(MAX_ROWS + 2);
  });
});

describe("attacks by a file", () => {
  it("with duplicates, in another case or after another way to write the group", async () => {
    const lines = [
      "A@b.co,,,Early,,",
      `a@B.co,,,${GROUP_UUID},1,`,
      ",0xAB,,Early,,",
      ",0xab,,Early,,",
      `,,${ENTITY},Early,,`,
      `,,${ENTITY.slice(2).toUpperCase()},Early,,`,
    ];
    expect(await problemsOf(lines.join("\n"))).toEqual([
      undefined,
      [3, "email"],
      undefined,
      [5, "wallet"],
      undefined,
      [7, "entity"],
    ]);
  });

  it("with formulas: they are text, in the file and after the export", async () => {
    const name = '=HYPERLINK("https://evil.example")';
    const groups = [{ uuid: GROUP_UUID, name }];
    const member = create(GroupMemberSchema, {
      groupUuid: GROUP_UUID,
      key: { case: "email", value: "+cmd@example.com" },
    });
    const csv = participantCsv([member], groups);
    expect(csv.startsWith("'+cmd@example.com,")).toBe(true);
    expect(csv).toContain(`"'=HYPERLINK(""https`);
    expect(await rowsOf(PARTICIPANT_CSV_HEADER + csv, groups)).toMatchObject([
      { member: { key: { value: "+cmd@example.com" } } },
    ]);
  });

  it("with mark-up: it is a group that isn't there, and repeated in no message", async () => {
    const [row] = await rowsOf(`${HEADER}a@b.co,,,<script>alert(1)</script>,,`);
    expect(row).toEqual({ line: 2, field: "group", message: "the sale has no group of this name" });
  });

  it.each([
    ["the header", ""],
    ["a quoted field", `${HEADER}"`],
    ["a row", `${HEADER}a@b.co,,,Early,,\n`],
  ])("with a line of 1 GB in %s: it is refused within its first 128 KiB", async (_, begun) => {
    let [read, closed] = [0, false];
    async function* endless() {
      try {
        yield Buffer.from(begun || "email");
        for (const chunk = Buffer.alloc(65_536, "x"); read < 2 ** 30; read += chunk.length) yield chunk;
      } finally {
        closed = true;
      }
    }
    const reading = (async () => {
      for await (const _ of participantRows(endless(), GROUPS));
    })();
    expect((await failureOf(reading)).message).toContain(`more than ${MAX_LINE_BYTES} bytes`);
    expect(read).toBeLessThanOrEqual(131_072);
    expect(closed).toBe(true);
  });

  it.each([
    ["UTF-16 with a byte order mark", Buffer.from(`\ufeff${HEADER}`, "utf16le"), "line 1: is UTF-16"],
    ["UTF-16 of the other order", Buffer.from(`\ufeff${HEADER}`, "utf16le").swap16(), "line 1: is UTF-16"],
    ["UTF-16 without a mark", Buffer.from(HEADER, "utf16le"), "line 1: holds a zero byte"],
    ["Latin-1", Buffer.from(`${HEADER}a@b.co,,,\xe9\n`, "latin1"), "line 2: isn’t UTF-8"],
    ["half a character at its end", Buffer.from(`${HEADER}a@b.co,,,é`).subarray(0, -1), "line 2: isn’t UTF-8"],
    ["a surrogate", Buffer.concat([Buffer.from(HEADER), Buffer.from([0xed, 0xa0, 0x80])]), "line 2: isn’t UTF-8"],
    ["an archive", Buffer.from("PK\x03\x04\x00\x00"), "line 1: holds a zero byte"],
  ])("in a wrong encoding: %s", async (_, file, words) => {
    expect((await failureOf(rowsOf(file))).message).toContain(words);
  });
});

describe("the fields for spreadsheets", () => {
  it.each(["=1", "+1", "-1", "@a", "\ta", "\ra", "'=1", "''+1", "＝1"])("never begin as %j does", (text) => {
    expect(spreadsheetField(text)).toBe(`'${text}`);
  });

  it("come back, whatever they are", () => {
    const anyText = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", "=", "+", "a", "\t") }));
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fieldOfSpreadsheet(spreadsheetField(text))).toBe(text);
      }),
    );
  });
});

/** Names that rules may have: nothing invisible, no spaces around them, no UUID. */
const groupName = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" }),
    fc.string({ minLength: 1, unit: fc.constantFrom(..."'=+\",;é a") }),
  )
  .filter((name) => name === name.trim() && name !== "" && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name));

const amount = fc.oneof(fc.constant(""), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String));
const memberKey: fc.Arbitrary<GroupMember["key"]> = fc.oneof(
  fc
    .string({ unit: fc.constantFrom(..."ab=+-'@."), minLength: 1, maxLength: 20 })
    .map((local) => ({ case: "email", value: `${local}@b.co` }) as const),
  fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => ({ case: "wallet", value: `0x${Buffer.from(bytes).toString("hex")}` }) as const),
  fc
    .uint8Array({ minLength: 16, maxLength: 16 })
    .map((bytes) => ({ case: "saleSpecificEntityId", value: new Uint8Array(bytes) }) as const),
);
const members = fc.uniqueArray(
  fc
    .record({ groupUuid: fc.constantFrom(...UUIDS), key: memberKey, minAmount: amount, maxAmount: amount })
    .map((member) => create(GroupMemberSchema, member)),
  { selector: ({ key, groupUuid }) => `${groupUuid} ${key.value}`, maxLength: 20 },
);

describe("an export", () => {
  it("is imported again without a difference, in chunks of any size", async () => {
    const names = fc.uniqueArray(groupName, { minLength: UUIDS.length, maxLength: UUIDS.length });
    await fc.assert(
      fc.asyncProperty(members, names, fc.integer({ min: 1, max: 200 }), async (exported, groupNames, size) => {
        const groups = UUIDS.map((uuid, index) => ({ uuid, name: groupNames[index] ?? "" }));
        const rows = await rowsOf(PARTICIPANT_CSV_HEADER + participantCsv(exported, groups), groups, size);
        const imported = rows.map((row) =>
          isProblem(row) ? row : create(GroupMemberSchema, row.member as MemberInit),
        );
        expect(imported).toEqual(exported);
      }),
      { numRuns: 300 },
    );
  });

  it("of a deny list is imported again, each wallet once", async () => {
    const wallets = ["0xab", "So11111111111111111111111111111111111111112"];
    const csv = WALLET_CSV_HEADER + walletCsv([...wallets, "0xAB"]);
    const read = [];
    for await (const row of walletRows(inChunks(Buffer.from(csv)))) read.push("wallet" in row ? row.wallet : row);
    expect(read).toEqual(wallets);
  });
});
