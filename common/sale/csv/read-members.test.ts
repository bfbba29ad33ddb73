import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GroupMemberSchema } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { MEMBER_CSV_HEADER, memberCsv } from "./member-csv.ts";
import { type MemberLine, readMembers } from "./read-members.ts";

const GROUP = "99999999-9999-4999-8999-999999999999";
const CONTEXT = { groups: [{ uuid: GROUP, name: "Early" }], decimals: 6 };
const WALLET = `0x${"a1".repeat(20)}`;

/** Bytes in pieces, as a file or a request brings them. */
async function* pieces(bytes: Uint8Array, length = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function read(text: string | Uint8Array, options: Parameters<typeof readMembers>[1] = CONTEXT) {
  const lines: MemberLine[] = [];
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  for await (const line of readMembers(pieces(bytes), options)) lines.push(line);
  return lines;
}

function utf16(text: string): Uint8Array {
  return Uint8Array.from([0xff, 0xfe, ...Buffer.from(text, "utf16le")]);
}

describe("a file of members", () => {
  it("has an e-mail address, a wallet or an entity on each line, and bounds in tokens", async () => {
    const text = `group,email,wallet,entity,min_amount,max_amount
Early,ann@example.org,,,,
${GROUP},,${WALLET},,100,"5,000.5"
Early,,,0x${"07".repeat(16)},1/2,
`;
    expect(await read(text)).toMatchObject([
      {
        line: 2,
        member: { groupUuid: GROUP, key: { case: "email", value: "ann@example.org" }, minAmount: "", maxAmount: "" },
      },
      { line: 3, member: { key: { case: "wallet", value: WALLET }, minAmount: "100000000", maxAmount: "5000500000" } },
      {
        line: 4,
        member: { key: { case: "saleSpecificEntityId", value: new Uint8Array(16).fill(7) }, minAmount: "500000" },
      },
    ]);
  });

  it.each([
    ["a byte order mark and CRLF", `\uFEFFemail\r\nann@example.org\r\n`],
    ["semicolons, as spreadsheets of some countries write them", "Email; Group\nann@example.org; Early\n"],
    ["tabs", "email\tgroup\nann@example.org\tEarly\n"],
    ["lone CR, quotes and spaces", `"group","email"\r"Early" , "ann@example.org"`],
  ])("may have %s", async (_, text) => {
    expect(await read(text, { ...CONTEXT, groupUuid: GROUP })).toMatchObject([
      { line: 2, member: { groupUuid: GROUP, key: { value: "ann@example.org" } } },
    ]);
  });

  it("says for each line what is wrong, and goes on", async () => {
    const text = `email,wallet,entity,max_amount,group
ann@example.org,,,,Early

,,,,Early
ann@example.org,${WALLET},,,Early
,,0x12,,Early
ann@example.org,,,0.0000001,Early
ann@example.org,,,much,Early
ann@example.org,,,,Late
ann@example.org,,,,
ann@example.org
${"x".repeat(255)},,,,Early
ann@example.org,,,${2n ** 256n},Early
`;
    const lines = await read(text);
    expect(lines.map((line) => ("problem" in line ? [line.line, line.field, line.problem] : [line.line]))).toEqual([
      [2],
      [4, "email", "write an e-mail address, a wallet or an entity"],
      [5, "email", "write only one of e-mail address, wallet and entity"],
      [6, "entity", "must be 0x and 32 hexadecimal digits"],
      [7, "max_amount", "the payment token has 6 decimals: use at most that many"],
      [8, "max_amount", "must be an amount in whole tokens, such as 5000.5"],
      [9, "group", "the sale has no such group"],
      [10, "group", "name the group"],
      [11, "email", "the line has 1 fields, and the first line 5"],
      [12, "email", "must have at most 254 characters"],
      [13, "max_amount", "is more than a contract can count"],
    ]);
  });

  it.each([
    ["commas", ","],
    ["semicolons", ";"],
    ["tabs", "\t"],
  ])(
    "refuses an amount in a file with %s that is a thousand in one country and one in another",
    async (_, separator) => {
      const amounts = async (column: string, texts: readonly string[]) => {
        const rows = texts.map((text, index) => [`${index}@example.org`, `"${text}"`, "Early"]);
        const lines = await read([["email", column, "group"], ...rows].map((row) => row.join(separator)).join("\n"));
        return lines.map((line) => ("problem" in line ? [line.line, line.field, line.problem] : line.member.maxAmount));
      };
      const problem = "may mean thousands or decimals: write 1000 for a thousand, 1.0 for one";
      const ambiguous = ["5.000", "1,000", "999.999", "1.000 USDC", "$1,000", "12,345"];
      for (const column of ["min_amount", "max_amount"]) {
        expect(await amounts(column, ambiguous)).toEqual(ambiguous.map((__, index) => [index + 2, column, problem]));
      }
      const clear = ["1000", "1.0", "0.125", "1.5", "1.0000", "1,000,000", "1,000.5", "1 000", "1000.000"];
      expect(await amounts("max_amount", clear)).toEqual(
        ["1000", "1", "0.125", "1.5", "1", "1000000", "1000.5", "1000", "1000"].map((text) =>
          String(Number(text) * 1e6),
        ),
      );
      const comma = await amounts("max_amount", ["0,125", "1,5", "1.000.000", "1.000,5"]);
      expect(comma).toEqual(["125000", "1500000", "1000000000000", "1000500000"]);
    },
  );

  it.each([
    ["nothing", "", undefined, "the file is empty"],
    ["no names of columns", "ann@example.org\n", 1, "the first line must name the columns"],
    ["a column twice", "email,group,email\n", 1, "the first line must name the columns"],
    ["no key", "group,min_amount\n", 1, "must name a column email, wallet or entity"],
    ["no group", "email\n", 1, "must name the column group, or a group must be chosen"],
    ["quotes that don't end", 'email,group\nann@example.org,Early\n"ann@example.org,Early\n', 3, "quotes must enclose"],
    [
      "Latin-1",
      Uint8Array.from(Buffer.from("email,group\nj\u00fcrgen@example.org,Early\n", "latin1")),
      2,
      "isn’t UTF-8",
    ],
    ["UTF-16", utf16("email,group\nann@example.org,Early\n"), undefined, "is UTF-16"],
    ["UTF-16 of the other order", Uint8Array.from(Buffer.from(utf16("email")).swap16()), undefined, "is UTF-16"],
    ["UTF-16 without a mark", utf16("email\n").subarray(2), 1, "no text"],
    ["a surrogate", Uint8Array.from([...Buffer.from("email,group\r\n"), 0xed, 0xa0, 0x80]), 2, "isn’t UTF-8"],
    ["a character that is cut off", Uint8Array.from([...Buffer.from("email,group\n"), 0xe2, 0x82]), 2, "isn’t UTF-8"],
    ["zeros", new Uint8Array(10_000), 1, "a line may have at most 4096 bytes"],
    ["too many lines", `email,group\n${"a,a\n".repeat(100_001)}`, 100_002, "at most 100,000 lines"],
  ])("that has %s is refused as a whole", async (_, text, line, reason) => {
    await expect(read(text)).rejects.toMatchObject({ name: "ListFileError", message: expect.stringContaining(reason) });
    await expect(read(text)).rejects.toHaveProperty("line", line);
  });

  it("with a line of a gigabyte is given up after the first kilobytes of it", async () => {
    let sent = 0;
    async function* endless() {
      yield Buffer.from("email,group\n");
      for (; sent < 2 ** 30; sent += 65_536) yield Buffer.alloc(65_536, "x");
    }
    const all = async () => {
      for await (const _ of readMembers(endless(), CONTEXT));
    };
    await expect(all()).rejects.toMatchObject({ line: 2 });
    expect(sent).toBeLessThan(2 ** 20);
  });

  it("has nobody twice in a group, in whatever case or by whatever name of the group", async () => {
    const entity = "0e".repeat(16);
    const text = `email,wallet,entity,group
Ann@example.org,,,Early
ann@Example.org,,,${GROUP.toUpperCase()}
bo@bücher.example,,,Early
bo@xn--bcher-kva.example,,,Early
,${WALLET},,Early
,${WALLET.toUpperCase().replace("0X", "0x")},,Early
,,0x${entity},Early
,,${entity.toUpperCase()},Early
`;
    const lines = await read(text);
    expect(lines.map((line) => ("problem" in line ? [line.line, line.field, line.problem] : [line.line]))).toEqual([
      [2],
      [3, "email", "is in this group on line 2, too"],
      [4],
      [5, "email", "is in this group on line 4, too"],
      [6],
      [7, "wallet", "is in this group on line 6, too"],
      [8],
      [9, "entity", "is in this group on line 8, too"],
    ]);
  });

  it("takes mark-up for the name of a group that isn't there, and reads a line with formulas as text", async () => {
    const text = "email,group\nann@example.org,<script>alert(1)</script>\n'=1+1@example.org,Early\n";
    expect(await read(text)).toMatchObject([
      { line: 2, field: "group", problem: "the sale has no such group" },
      { line: 3, member: { key: { value: "=1+1@example.org" } } },
    ]);
  });

  it("repeats nothing of a line in what is wrong with it", async () => {
    const lines = await read(
      "email,entity,max_amount,group\nsecret,secret,secret,secret\n,secret,,Early\n,,secret,Early\n",
    );
    expect(lines).toHaveLength(3);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });
});

const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String);
const key = fc.oneof(
  fc.emailAddress().map((value) => ({ case: "email" as const, value })),
  fc
    .constantFrom("=1+1@example.org", "+x@example.org", "'=x@example.org", "''x@example.org", "-@example.org")
    .map((value) => ({ case: "email" as const, value })),
  fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => ({
    case: "wallet" as const,
    value: `0x${Buffer.from(bytes).toString("hex")}`,
  })),
  fc.uint8Array({ minLength: 16, maxLength: 16 }).map((value) => ({ case: "saleSpecificEntityId" as const, value })),
);
const groups = fc.uniqueArray(
  fc.record({
    uuid: fc.uuid({ version: 4 }),
    name: fc.constantFrom("Early", "=SUM(A1)", "@x", "'=", "a,b", 'a"b', "a;b"),
  }),
  { minLength: 1, maxLength: 4, selector: ({ uuid }) => uuid },
);

/** Members of which none is in a group by the same key twice, as the service has them. */
const unrepeated = <Member extends { readonly groupUuid: string; readonly key: { readonly value: unknown } }>(
  member: fc.Arbitrary<Member>,
) => fc.uniqueArray(member, { selector: (one) => `${one.groupUuid} ${String(one.key.value).toLowerCase()}` });

describe("an exported file", () => {
  it("is read back without a difference, whatever the names of groups and the decimals", async () => {
    const files = fc.tuple(groups, fc.nat({ max: 36 })).chain(([found, decimals]) => {
      const member = fc.record({
        groupUuid: fc.constantFrom(...found.map(({ uuid }) => uuid)),
        key,
        minAmount: fc.oneof(fc.constant(""), amount),
        maxAmount: fc.oneof(fc.constant(""), amount),
      });
      return fc.record({ groups: fc.constant(found), decimals: fc.constant(decimals), members: unrepeated(member) });
    });
    await fc.assert(
      fc.asyncProperty(files, async ({ members, ...context }) => {
        const messages = members.map((one) => create(GroupMemberSchema, one));
        const lines = await read(MEMBER_CSV_HEADER + memberCsv(messages, context), context);
        expect(lines.map((line) => ("member" in line ? create(GroupMemberSchema, line.member) : line))).toEqual(
          messages,
        );
      }),
    );
  });

  it("has amounts that no country reads as another number", async () => {
    const amounts = ["1255000", "1250001", "999999000", "250000", "1000250000"];
    const messages = amounts.map((maxAmount, index) =>
      create(GroupMemberSchema, {
        ...{ groupUuid: GROUP, maxAmount },
        key: { case: "email", value: `${index}@example.org` },
      }),
    );
    const csv = memberCsv(messages, CONTEXT);
    expect(csv.split("\r\n").map((line) => line.split(",").at(-1))).toEqual([
      ...["1.2550", "1.250001", "999.9990", "0.25", "1000.25", ""],
    ]);
    const lines = await read(MEMBER_CSV_HEADER + csv);
    expect(lines).toMatchObject(amounts.map((maxAmount) => ({ member: { maxAmount } })));
  });

  it("holds nothing that a spreadsheet runs", () => {
    const values = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\t=1", "\r=1"];
    const messages = values.map((value) =>
      create(GroupMemberSchema, { groupUuid: GROUP, key: { case: "email", value } }),
    );
    const named = { groups: [{ uuid: GROUP, name: "=1+1" }], decimals: 6 };
    for (const line of memberCsv(messages, named).split("\r\n").filter(Boolean)) {
      for (const field of line.split(",")) expect(field.replace(/^"/, "")).not.toMatch(/^[=+\-@\t\r]/);
    }
  });
});
