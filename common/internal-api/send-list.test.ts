import { describe, expect, it } from "vitest";
import { MAX_SHOWN, type PartAnswer, type SentLine, sendList } from "./send-list.ts";

async function* lines(...given: readonly SentLine<string>[]): AsyncGenerator<SentLine<string>> {
  yield* given;
}

async function all(given: readonly SentLine<string>[], send: (rows: readonly string[]) => Promise<PartAnswer>) {
  const progress = [];
  for await (const one of sendList(lines(...given), send)) progress.push(one);
  return progress;
}

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ line: index + 2, row: `row ${index}` }));

describe("a list", () => {
  it("is sent in parts of 500 rows, with the state after each", async () => {
    const sizes: number[] = [];
    const progress = await all(rows(1_001), async (part) => {
      sizes.push(part.length);
      return { stored: part.length - 1, unchanged: 1, problems: [] };
    });
    expect(sizes).toEqual([500, 500, 1]);
    expect(progress.map(({ lines, stored, unchanged }) => [lines, stored, unchanged])).toEqual([
      [500, 499, 1],
      [1000, 998, 2],
      [1001, 998, 3],
    ]);
  });

  it("has the problems of the file and of the service by line, in their order", async () => {
    const given = [
      { line: 2, row: "a" },
      { line: 4, field: "email", problem: "is missing" },
      { line: 5, row: "b" },
    ];
    const problems = [
      { row: 1, field: "wallet", message: "is none" },
      { row: 0, field: "group", message: "is gone" },
    ];
    const [last] = (await all(given, async () => ({ stored: 0, unchanged: 0, problems }))).slice(-1);
    expect(last).toMatchObject({
      lines: 3,
      refused: 3,
      problems: [
        { line: 2, field: "group", problem: "is gone" },
        { line: 4, field: "email", problem: "is missing" },
        { line: 5, field: "wallet", problem: "is none" },
      ],
    });
  });

  it("keeps a bounded number of problems, and counts all", async () => {
    const given = Array.from({ length: 5_000 }, (_, index) => ({
      line: index + 2,
      field: "email",
      problem: "is missing",
    }));
    const [last] = (await all(given, async () => ({ stored: 0, unchanged: 0, problems: [] }))).slice(-1);
    expect([last?.refused, last?.problems.length]).toEqual([5_000, MAX_SHOWN]);
  });

  it("ends with the first part that can't be sent", async () => {
    const parts: number[] = [];
    const sending = all(rows(1_500), async (part) => {
      parts.push(part.length);
      if (parts.length === 2) throw new Error("away");
      return { stored: part.length, unchanged: 0, problems: [] };
    });
    await expect(sending).rejects.toThrow("away");
    expect(parts).toEqual([500, 500]);
  });
});
