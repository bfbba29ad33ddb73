import { parseArgs } from "node:util";
import { type Benchmark, selectBenchmarks } from "./benchmarks.ts";
import { type BenchTable, formatTable } from "./support/bench-table.ts";
import { amount, QUICK } from "./support/quick.ts";
import { judgeFigures } from "./support/required.ts";

const RUNS = amount(5, 1);
const MOST_RUNS = 100;

/**
 * `npm run bench -- [--quick] [--runs NUMBER] [name …]` runs all benchmarks, or the named ones, five times each, and judges the median
 * of each required figure. Exit code 1: a required figure was missed, or a result is wrong; 2: nothing was started.
 */
const { selected, runs } = parseArguments();
for (const [name, { run }] of selected) {
  const tables: BenchTable[] = [];
  for (let index = 0; index < runs; index++) tables.push(await runOnce(name, run));
  if (!QUICK) judge(tables);
}

async function runOnce(name: string, run: Benchmark["run"]): Promise<BenchTable> {
  const begin = performance.now();
  const table = await run();
  if (QUICK) console.log("with small numbers, which only show that the benchmark works:");
  console.log(formatTable(table));
  console.log(`${name}: ${((performance.now() - begin) / 1_000).toFixed(1)} s\n`);
  if ((table.faults ?? []).length > 0) process.exitCode = 1;
  return table;
}

function judge(tables: readonly BenchTable[]): void {
  const figures = judgeFigures(tables.map(({ required }) => required));
  console.log(`${figures.map(({ line }) => line).join("\n")}\n`);
  if (figures.some(({ isMissed }) => isMissed)) process.exitCode = 1;
}

function parseArguments(): { readonly selected: [string, Benchmark][]; readonly runs: number } {
  try {
    const options = { quick: { type: "boolean" }, runs: { type: "string", default: String(RUNS) } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const runs = Number(values.runs);
    if (!Number.isInteger(runs) || runs < 1 || runs > MOST_RUNS) throw new Error(`--runs: expected 1 to ${MOST_RUNS}`);
    return { selected: selectBenchmarks(positionals), runs };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
    return { selected: [], runs: 0 };
  }
}
