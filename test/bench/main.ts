import { parseArgs } from "node:util";
import { type Benchmark, selectBenchmarks } from "./benchmarks.ts";
import { type BenchTable, describeFailures, formatTable } from "./support/bench-table.ts";
import { QUICK } from "./support/quick.ts";
import { describeSpreads } from "./support/required.ts";

const MOST_RUNS = 100;

/**
 * `npm run bench -- [--quick] [--runs NUMBER] [name …]` runs all benchmarks, or the named ones; several runs also print how much
 * each required figure differs between them. Exit code 1: a required figure was missed; 2: nothing was started.
 */
const { selected, runs } = parseArguments();
for (const [name, { run }] of selected) {
  const tables: BenchTable[] = [];
  for (let index = 0; index < runs; index++) tables.push(await runOnce(name, run));
  if (runs > 1) console.log(`${describeSpreads(tables.map(({ required }) => required)).join("\n")}\n`);
}

async function runOnce(name: string, run: Benchmark["run"]): Promise<BenchTable> {
  const begin = performance.now();
  const table = await run();
  if (QUICK) console.log("with small numbers, which only show that the benchmark works:");
  console.log(formatTable(table, { isJudged: !QUICK }));
  console.log(`${name}: ${((performance.now() - begin) / 1_000).toFixed(1)} s\n`);
  if (describeFailures(table, { isJudged: !QUICK }).length > 0) process.exitCode = 1;
  return table;
}

function parseArguments(): { readonly selected: [string, Benchmark][]; readonly runs: number } {
  try {
    const options = { quick: { type: "boolean" }, runs: { type: "string", default: "1" } } as const;
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
