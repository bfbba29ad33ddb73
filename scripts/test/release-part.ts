import { variableOf } from "./chart-parts.ts";
import { CRANE, HELM } from "./go-tool.ts";
import type { Part, PartContext } from "./part.ts";
import { vitestPart } from "./vitest-part.ts";

const MINUTE_MS = 60_000;

/** Tests of what a release publishes: the image's files, and the chart in a registry where Go can install one. */
export const releasePart: Part = { name: "release", run: "long", limitMs: 20 * MINUTE_MS, check };

async function check(context: PartContext) {
  const env = { ...(await variableOf(HELM)), ...(await variableOf(CRANE)) };
  const limits = { name: "release", run: "long", limitMs: context.limitMs } as const;
  return vitestPart(limits, { projects: ["release"], env }).check(context);
}
