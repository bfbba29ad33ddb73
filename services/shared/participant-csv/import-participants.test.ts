import { Buffer } from "node:buffer";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { exportedCsv } from "./export-participants.ts";
import { importDenyList, importParticipants } from "./import-participants.ts";
import { PARTICIPANT_CSV_HEADER } from "./participant-csv.ts";

const GROUPS = [{ uuid: "00000000-0000-4000-8000-000000000001", name: "Early" }];
const signal = new AbortController().signal;
const file = async function* (lines: readonly string[]) {
  yield Buffer.from(`${lines.join("\n")}\n`);
};
const target = { saleUuid: "sale", dryRun: false, signal };

describe("importParticipants", () => {
  it("sends rows in parts, and maps the mistakes that the service finds to their lines", async () => {
    const sizes: number[] = [];
    const progress: number[] = [];
    const importMembers = async ({ members = [] }: { members?: readonly unknown[] }) => {
      sizes.push(members.length);
      const problems = sizes.length === 2 ? [{ row: 3, field: "email", message: "no address" }] : [];
      return { stored: members.length - problems.length, unchanged: 0, problems };
    };
    const lines = Array.from({ length: 1_200 }, (_, index) => `m${index}@b.co,Early`);
    lines[10] = "m10@b.co,Late";
    lines[503] = "m503@b.co,Late";
    const result = await importParticipants(file(["email,group", ...lines]), GROUPS, {
      ...target,
      eligibility: { importMembers } as never,
      onProgress: (rows) => progress.push(rows),
    });
    expect(sizes).toEqual([499, 499, 200]);
    expect(progress).toEqual([500, 1_000, 1_200]);
    expect(result).toMatchObject({ rows: 1_200, stored: 1_197, problemCount: 3 });
    // The second part begins on line 502; its row 3 is the fifth of the file's part, as the fourth was refused before.
    expect(result.problems.map(({ line, field }) => [line, field])).toEqual([
      [12, "group"],
      [505, "group"],
      [506, "email"],
    ]);
  });

  it("calls again after an unknown outcome, and not after a refusal", async () => {
    let calls = 0;
    const failing = (code: Code) => ({
      importMembers: async () => {
        calls += 1;
        if (calls < 3) throw new ConnectError("no", code);
        return { stored: 1, unchanged: 0, problems: [] };
      },
    });
    const run = (code: Code) =>
      importParticipants(file(["email,group", "a@b.co,Early"]), GROUPS, {
        ...target,
        eligibility: failing(code) as never,
      });
    expect(await run(Code.Unavailable)).toMatchObject({ stored: 1 });
    expect(calls).toBe(3);
    calls = 0;
    await expect(run(Code.PermissionDenied)).rejects.toMatchObject({ code: Code.PermissionDenied });
    expect(calls).toBe(1);
  });
});

it("importDenyList sends wallets with what shall happen to them", async () => {
  const requests: unknown[] = [];
  const changeDenyList = async (request: unknown) => {
    requests.push(request);
    return { changed: 1, unchanged: 1, problems: [] };
  };
  const result = await importDenyList(file(["wallet", "0xab", "0xcd"]), {
    ...target,
    remove: true,
    eligibility: { changeDenyList } as never,
  });
  expect(requests).toEqual([{ saleUuid: "sale", wallets: ["0xab", "0xcd"], remove: true, dryRun: false }]);
  expect(result).toMatchObject({ rows: 2, stored: 1, unchanged: 1, problemCount: 0 });
});

it("exportedCsv says where an export ended too early", async () => {
  const parts = async function* () {
    yield { total: 2n, members: [] };
    yield {
      total: 0n,
      members: [{ key: { case: "email", value: "a@b.co" }, groupUuid: "g", minAmount: "", maxAmount: "" }],
    };
  };
  const texts: string[] = [];
  const reading = (async () => {
    for await (const text of exportedCsv(parts() as never, [])) texts.push(text);
  })();
  await expect(reading).rejects.toThrow("ended after 1 of 2");
  expect(texts).toEqual([PARTICIPANT_CSV_HEADER, "a@b.co,,,g,,\r\n"]);
});
