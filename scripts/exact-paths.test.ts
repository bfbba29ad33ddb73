import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ROOT } from "./test/run-command.ts";

/** Counts the questions that reach Node, and prints them with what was loaded, each with its format. */
const RECORDER = `
import { registerHooks } from "node:module";
const loaded = new Set();
let asked = 0;
registerHooks({
  resolve: (specifier, context, next) => {
    asked += 1;
    return next(specifier, context);
  },
  load: (url, context, next) => {
    const result = next(url, context);
    loaded.add(result.format + " " + url);
    return result;
  },
});
process.once("beforeExit", () => console.log(JSON.stringify({ asked, loaded: [...loaded].toSorted() })));
`;
/** Most modules of all services, and of their packages. */
const PROGRAM = ["gateway/composition", "services/auth/auth-service", "services/entities/entities-service"]
  .map((name) => `import "./${name}.ts";`)
  .join("");

interface Loads {
  readonly asked: number;
  readonly loaded: readonly string[];
}

describe("exact paths", () => {
  it("load the same files in the same formats as Node itself, which is asked for few of them", async () => {
    const [own, exact] = await Promise.all([loadsWith([]), loadsWith(["--import", "./scripts/exact-paths.mjs"])]);
    const isOther = (line: string) => !line.endsWith("/scripts/exact-paths.mjs");
    expect(exact.loaded.filter(isOther)).toEqual(own.loaded);
    expect(own.loaded.length).toBeGreaterThan(1_000);
    expect(exact.asked).toBeLessThan(own.asked / 4);
  });
});

async function loadsWith(options: readonly string[]): Promise<Loads> {
  const recorder = `data:text/javascript,${encodeURIComponent(RECORDER)}`;
  const args = ["--import", recorder, ...options, "--input-type=module", "--eval", PROGRAM];
  const { stdout } = await promisify(execFile)("node", args, { cwd: ROOT, maxBuffer: 10_000_000 });
  return JSON.parse(stdout);
}
