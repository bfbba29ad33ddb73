import { expect, it } from "vitest";
import { BENCHMARKS, selectBenchmarks } from "../test/bench/benchmarks.ts";
import { formatTable } from "../test/bench/support/bench-table.ts";
import { judgeFigures } from "../test/bench/support/required.ts";

const names = (...selected: string[]) => selectBenchmarks(selected, () => true).map(([name]) => name);

it("selects all benchmarks, or those named", () => {
  expect(names()).toEqual(Object.keys(BENCHMARKS));
  expect(names("latency", "apply")).toEqual(["apply", "latency"]);
});

it("names a benchmark that isn't there", () => {
  expect(() => names("apply", "speed")).toThrow("there is no benchmark speed; there are public-read, apply");
});

it("names every missing program and its package before anything starts", () => {
  const isThere = (debianPackage: string) => debianPackage === "nats-server";
  expect(() => selectBenchmarks(["latency", "oauth"], isThere)).toThrow(
    "not installed: mariadbd, wrk (Debian's packages: mariadb-server wrk)",
  );
});

const figure = (name: string, value: number, bound: { readonly atLeast?: number; readonly atMost?: number }) => ({
  name,
  value,
  ...bound,
});

it.each([
  [
    "reaches its least",
    [0.6, 0.71, 0.7],
    { atLeast: 0.7 },
    "reached: reads: 0.7, at least 0.7; median of 3, from 0.6 to 0.71, spread 0.11",
  ],
  [
    "misses its least",
    [0.69, 0.9, 0.1],
    { atLeast: 0.7 },
    "MISSED: reads: 0.69, at least 0.7; median of 3, from 0.1 to 0.9, spread 0.8",
  ],
  ["reaches its most", [2, 9, 1], { atMost: 2 }, "reached: reads: 2, at most 2; median of 3, from 1 to 9, spread 8"],
  [
    "misses its most",
    [2.01],
    { atMost: 2 },
    "MISSED: reads: 2.01, at most 2; median of 1, from 2.01 to 2.01, spread 0",
  ],
  [
    "isn't a number once",
    [1, Number.NaN, 1],
    { atLeast: 1 },
    "MISSED: reads: NaN, at least 1; median of 3, from NaN to NaN, spread NaN",
  ],
])("judges the median of a figure that %s", (_case, values, bound, line) => {
  const [judged] = judgeFigures(values.map((value) => [figure("reads", value, bound)]));
  expect(judged).toEqual({ isMissed: line.startsWith("MISSED"), line });
});

it("judges each figure of a benchmark by itself", () => {
  const run = (reads: number, p50: number) => [
    figure("reads", reads, { atLeast: 1 }),
    figure("p50", p50, { atMost: 2 }),
  ];
  const judged = judgeFigures([run(1, 3), run(1, 3), run(0, 0)]);
  expect(judged.map(({ isMissed }) => isMissed)).toEqual([false, true]);
});

it("names wrong results below the table", () => {
  const table = { title: "Reads", columns: ["at"], rows: [["1"]], notes: ["a note"], required: [] };
  expect(formatTable({ ...table, faults: ["a line is missing"] })).toBe(
    "Reads\nat\n--\n1 \na note\nWRONG: a line is missing\n",
  );
});
