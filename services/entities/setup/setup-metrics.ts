import { Counter, type Registry } from "prom-client";
import type { SetupMetrics } from "../base/context.ts";

const RESULTS = ["applied", "unchanged", "ignored", "unsigned", "invalid", "failed"];

export function createSetupMetrics(registry: Registry): SetupMetrics {
  const callbacks = new Counter({
    name: "tidemark_entities_callbacks_total",
    help: "Callbacks of the identity vendor, by what came of them.",
    labelNames: ["result"],
    registers: [registry],
  });
  // `rate` can't see the first increase of a series that appears with 1.
  for (const result of RESULTS) callbacks.inc({ result }, 0);
  return { callbacks };
}
