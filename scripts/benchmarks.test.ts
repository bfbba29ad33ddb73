import { expect, it } from "vitest";
import { BENCHMARKS, selectBenchmarks } from "../test/bench/benchmarks.ts";

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
