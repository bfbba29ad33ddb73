import { Counter, type Registry } from "prom-client";
import type { OptimisticOutcome } from "./cached-sale-apply.ts";

const OUTCOMES: readonly OptimisticOutcome[] = ["hit", "conflict", "fallback"];

/** Counts optimistic applies by outcome. @returns a function that counts one. */
export function optimisticApplyCounter(registry: Registry): (outcome: OptimisticOutcome) => void {
  const applies = new Counter({
    name: "tidemark_optimistic_applies_total",
    help: "Applies that this process has tried without locking the sale first, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) applies.inc({ outcome }, 0);
  return (outcome) => applies.inc({ outcome });
}
