import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { checkResult, type Part, type PartContext, type PartResult, Reruns } from "./part.ts";
import { parts as allParts, pathsPart } from "./parts.ts";
import { runParts, selectParts } from "./run-parts.ts";

function part(name: string, check: (context: PartContext) => PartResult, run: Part["run"] = "short"): Part {
  return { name, run, limitMs: 5_000, check: async (context) => check(context) };
}

const passing = part("passing", () => checkResult(true, "quiet"));

/** Runs parts with a clock that only the parts move. */
async function run(parts: readonly Part[], limitMs = 60_000, clock = { now: 0 }) {
  const printed: string[] = [];
  const print = (text: string) => printed.push(stripVTControlCharacters(text));
  const counts = await runParts(parts, { folder: "", limitMs, reruns: new Reruns(0), now: () => clock.now, print });
  return { counts, text: printed.join("") };
}

describe("runParts", () => {
  it("goes on after a failure and after an error, shows both and lists them at the end", async () => {
    const failing = part("failing", () => ({
      ...checkResult(false, "what went wrong"),
      failures: ["a > b: 5 is too many"],
    }));
    const throwing = part("throwing", () => {
      throw new Error("a bug in the part");
    });
    const { counts, text } = await run([failing, throwing, passing]);
    expect(counts).toEqual({ passed: 1, failed: 2, skipped: 0 });
    expect(text).toMatch(/what went wrong[\s\S]*a bug in the part[\s\S]*passing/);
    expect(text).toMatch(/failed in failing: a > b: 5 is too many\nfailed: failing, throwing\n$/);
  });

  it("shows each test of a part that wants it, below its counts", async () => {
    const nodes = part("nodes", () => ({ ...checkResult(true, ""), tests: ["  61.2 s  passed  works"] }));
    expect((await run([nodes])).text).toMatch(/^nodes .* s {2}1 passed\n {4}61\.2 s {2}passed {2}works\n/);
  });

  it("tells parts whether all cases were asked for", async () => {
    const asked: unknown[] = [];
    const noting = part("nodes", ({ hasAll }) => checkResult(asked.push(hasAll) > 0, ""));
    const options = { folder: "", limitMs: 60_000, reruns: new Reruns(0), now: () => 0, print: () => undefined };
    await runParts([noting], options);
    await runParts([noting], { ...options, hasAll: true });
    expect(asked).toEqual([false, true]);
  });

  it("skips by name what the time that is left can't be enough for", async () => {
    const building = { ...passing, name: "cluster", leastMs: 26 * 60_000 };
    const { counts, text } = await run([building, passing], 25 * 60_000);
    expect(counts).toEqual({ passed: 1, failed: 0, skipped: 1 });
    expect(text).toContain("skipped in cluster: cluster may take 26 minutes, and 25 are left");
    expect((await run([building], 26 * 60_000)).counts.passed).toBe(1);
    expect((await run([building], 0)).counts).toEqual({ passed: 0, failed: 0, skipped: 1 });
  });

  it("names what passed at the second run only, and shows how it failed", async () => {
    const unsteady = part("faults", () => ({ ...checkResult(true, "how it failed"), unsteady: ["a.test.ts > works"] }));
    const { counts, text } = await run([unsteady]);
    expect(counts).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(text).toMatch(/how it failed[\s\S]*passed at the second run only, in faults: a\.test\.ts > works\n/);
  });

  it("bounds a part by what is left of the time for all, and fails those that come too late", async () => {
    const clock = { now: 0 };
    const limits: number[] = [];
    const eager = part("eager", ({ limitMs }) => {
      limits.push(limitMs);
      clock.now += 4_000;
      return checkResult(true, "");
    });
    const { counts, text } = await run([eager, eager, eager], 7_000, clock);
    expect(limits).toEqual([5_000, 3_000]);
    expect(counts).toEqual({ passed: 2, failed: 1, skipped: 0 });
    expect(text).toContain("the time for all parts together is over");
  });
});

describe("selectParts", () => {
  const parts = [passing, part("endless", () => checkResult(true, ""), "long")];
  const names = (selected: Part[]) => selected.map(({ name }) => name);

  it("takes the parts of the kind of run, or named parts only, whatever their kind", () => {
    expect(names(selectParts(parts, [], "short"))).toEqual(["passing"]);
    expect(names(selectParts(parts, [], "long"))).toEqual(["endless"]);
    expect(names(selectParts(parts, ["endless", "passing"], "short"))).toEqual(["passing", "endless"]);
  });

  it("takes the slow tests of a named part with it", () => {
    expect(names(selectParts(allParts, ["integration", "browser"], "short"))).toEqual([
      "integration",
      "browser",
      "slow",
      "slow-browser",
    ]);
  });

  it("refuses an unknown name and lists the known ones", () => {
    expect(() => selectParts(parts, ["unti"], "short")).toThrow(
      "no part or path unti; the parts are: passing, endless",
    );
  });
});

it("refuses a path without tests, which would pass unseen beside others", () => {
  expect(pathsPart(["gateway/account", "gateway/server.test.ts"]).name).toBe("paths");
  expect(() => pathsPart(["gateway/account", "docs"])).toThrow("no tests in docs");
});

it("runs two failed files once more under CI, whichever parts ask, and none elsewhere", () => {
  const reruns = Reruns.fromEnvironment({ CI: "true" });
  expect([reruns.take(1), reruns.take(2), reruns.take(1), reruns.take(1)]).toEqual([true, false, true, false]);
  expect([{}, { CI: "1" }].map((env) => Reruns.fromEnvironment(env).take(1))).toEqual([false, false]);
});
