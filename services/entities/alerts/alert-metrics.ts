import { Counter, type Registry } from "prom-client";
import type { AlertMetrics } from "../base/context.ts";
import type { SaleAlertName } from "../notices/notices-store.ts";

const ALERTS: readonly SaleAlertName[] = ["out", "at_margin", "closes_in_day", "closes_in_hour", "settled"];
const RESULTS = ["judged", "silent", "unconfirmed", "failed"];

export function createAlertMetrics(registry: Registry): AlertMetrics {
  const alerts = new Counter({
    name: "tidemark_entities_alerts_total",
    help: "Mails about sales that people have asked for, by what they say.",
    labelNames: ["alert"],
    registers: [registry],
  });
  const judgings = new Counter({
    name: "tidemark_entities_alert_judgings_total",
    help: "Judgings of a sale about which people are mailed, by what came of them.",
    labelNames: ["result"],
    registers: [registry],
  });
  // `rate` can't see the first increase of a series that appears with 1.
  for (const alert of ALERTS) alerts.inc({ alert }, 0);
  for (const result of RESULTS) judgings.inc({ result }, 0);
  return { alerts, judgings };
}
