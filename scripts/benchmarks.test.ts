import { expect, it } from "vitest";
import { BENCHMARKS, selectBenchmarks } from "../test/bench/benchmarks.ts";
import { describeFailures } from "../test/bench/support/bench-table.ts";
import { describeMisses, describeSpreads } from "../test/bench/support/required.ts";

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

it.each([
  ["reaches the bound", 0.7, []],
  ["misses it within the spread", 0.66, []],
  ["misses it by more", 0.649, ["reads: 0.649 < 0.7 (spread 0.05)"]],
  ["isn't a number", Number.NaN, ["reads: NaN < 0.7 (spread 0.05)"]],
])("judges a figure that %s", (_case, value, misses) => {
  expect(describeMisses({ name: "reads", value, atLeast: { required: 0.7, spread: 0.05 } })).toEqual(misses);
});

it("judges a figure that must not exceed a bound", () => {
  const atMost = { required: 2, spread: 0 };
  expect(describeMisses({ name: "p50", value: 2, atMost })).toEqual([]);
  expect(describeMisses({ name: "p50", value: 2.01, atMost })).toEqual(["p50: 2.01 > 2"]);
});

it("judges no figure of a run with small numbers, but still its wrong results", () => {
  const table = { title: "", columns: [], rows: [], notes: [], faults: ["a line is missing"] };
  const required = [{ name: "p50", value: 3, atMost: { required: 2, spread: 0 } }];
  expect(describeFailures({ ...table, required }, { isJudged: false })).toEqual(["a line is missing"]);
  expect(describeFailures({ ...table, required }, { isJudged: true })).toHaveLength(2);
});

it("describes how much a required figure differs between runs", () => {
  const runs = [0.63, 0.68, 0.66].map((value) => [{ name: "reads", value }]);
  expect(describeSpreads(runs)).toEqual(["reads: 0.63 to 0.68 in 3 runs, spread 0.05"]);
});
