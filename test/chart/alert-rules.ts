import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { CHART, ofKind, renderChart, valuesFile } from "../support/repository/chart.ts";

export interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
}

export const RUNBOOK = "https://git.example.com/tidemark/docs/alerts.md";

/** The rules as Prometheus loads them without the chart. */
export const alertsText = await readFile(join(CHART, "files/alerts.yaml"), "utf8");
export const alertRules: RuleFile = parse(alertsText);

export function rulesOf({ groups }: RuleFile): readonly Rule[] {
  return groups.flatMap(({ rules }) => rules);
}

/** The rules as the chart renders them. @param values as `--set-json` takes them */
export async function renderedRules(...values: readonly string[]): Promise<RuleFile> {
  const settings = ["monitoring.prometheusRule=true", ...values].flatMap((value) => ["--set-json", value]);
  const objects = await renderChart("--values", valuesFile("default"), ...settings);
  return ofKind(objects, "PrometheusRule").get("alerts")?.["spec"];
}
