import { COMPOSE_LOADER, goProgram } from "./go-program.ts";
import type { Part, PartContext, PartResult } from "./part.ts";
import { skippedResult } from "./part.ts";
import { vitestPart } from "./vitest-part.ts";

const NAME = "compose";
const LIMIT_MS = 15 * 60_000;

/** Loads `deploy/compose.yaml` as Docker Compose does. */
export const composePart: Part = { name: NAME, run: "short", budgetSeconds: 3, limitMs: LIMIT_MS, check };

async function check(context: PartContext): Promise<PartResult> {
  const loader = await goProgram(COMPOSE_LOADER);
  if ("missing" in loader) return skippedResult(`compose: ${loader.missing}`);
  const run = { projects: [NAME], env: { COMPOSE_LOADER: loader.path } };
  return vitestPart({ name: NAME, run: "short", limitMs: LIMIT_MS }, run).check(context);
}
