import { Counter, type Registry } from "prom-client";
import type { ScreeningMetrics } from "../base/context.ts";

const RESULTS = ["clean", "denied", "risky", "failed"];

export function createScreeningMetrics(registry: Registry): ScreeningMetrics {
  const screenings = new Counter({
    name: "tidemark_entities_screenings_total",
    help: "Wallets screened by a deny list or a screener.",
    labelNames: ["result"],
    registers: [registry],
  });
  // `rate` can't see the first increase of a series that appears with 1.
  for (const result of RESULTS) screenings.inc({ result }, 0);
  return { screenings };
}
