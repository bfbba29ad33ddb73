import { type Benchmark, selectBenchmarks } from "./benchmarks.ts";
import { formatTable } from "./support/bench-table.ts";

/**
 * `npm run bench [name …]` runs all benchmarks, or the named ones. Exit code 1: a required figure was missed; 2: nothing was
 * started.
 */
for (const [name, { run }] of selectNamed()) {
  const begin = performance.now();
  const table = await run();
  console.log(formatTable(table));
  console.log(`${name}: ${((performance.now() - begin) / 1_000).toFixed(1)} s\n`);
  if (table.misses.length > 0) process.exitCode = 1;
}

function selectNamed(): [string, Benchmark][] {
  try {
    return selectBenchmarks(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
    return [];
  }
}
