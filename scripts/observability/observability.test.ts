import { globSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { DURATION_BUCKETS } from "../../common/platform/metrics/duration-buckets.ts";
import { readRepository } from "../../test/support/repository/repository.ts";
import { type KnownMetric, knownMetrics, TARGET_LABELS } from "./known-metrics.ts";
import { type LabelMatcher, promqlUse } from "./promql.ts";

const FILES = new URL("../../deploy/helm/tidemark/files/", import.meta.url);

interface Recording {
  readonly record: string;
  readonly expr: string;
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook: string };
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
  readonly panels: readonly {
    readonly title: string;
    readonly description: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const read = (path: string) => readFileSync(new URL(path, FILES), "utf8");
const groups: readonly { readonly name: string; readonly rules: readonly (Alert | Recording)[] }[] = parse(
  read("alerts.yaml"),
).groups;
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter((rule) => "alert" in rule);
const recordings = rules.filter((rule) => "record" in rule);
const dashboards: readonly Dashboard[] = globSync("dashboards/*.json", { cwd: FILES }).map((path) =>
  JSON.parse(read(path)),
);

let known: ReadonlyMap<string, KnownMetric>;
beforeAll(async () => {
  const recorded = recordings.map(({ record, expr }): [string, KnownMetric] => [
    record,
    series(promqlUse(expr).labels),
  ]);
  known = new Map([...(await knownMetrics()), ...recorded, [EXPECTED_SERVICES, series(["namespace", "service"])]]);
});

/** Recorded by the chart, which knows its services. */
const EXPECTED_SERVICES = "tidemark:expected_services";

function series(labels: readonly string[]): KnownMetric {
  return { labels: new Set(labels), values: new Map() };
}

/** Returns the problems of an expression: metrics, labels and label values that don't exist. */
function problemsOf(expression: string): string[] {
  const { selectors, labels } = promqlUse(expression.replaceAll(/\$__rate_interval|\$__range/g, "5m"));
  const metrics = selectors.map(({ metric }) => known.get(metric));
  const given = new Set(["le", ...TARGET_LABELS, ...metrics.flatMap((metric) => [...(metric?.labels ?? [])])]);
  return [
    ...(selectors.length === 0 ? ["no metric"] : []),
    ...labels.filter((label) => !given.has(label)).map((label) => `no metric has ${label}`),
    ...selectors.flatMap(({ metric, matchers }) => {
      const found = known.get(metric);
      if (found === undefined) return [`there is no ${metric}`];
      return matchers
        .filter((matcher) => !canMatch(found, matcher))
        .map(({ label }) => `${metric} has no such ${label}`);
    }),
  ];
}

function canMatch({ labels, values }: KnownMetric, { label, operator, value }: LabelMatcher): boolean {
  if (TARGET_LABELS.includes(label)) return true;
  if (!labels.has(label)) return false;
  if (label === "le") return DURATION_BUCKETS.map(String).includes(value);
  const all = values.get(label);
  if (all === undefined || value.startsWith("$")) return true;
  const words = operator.includes("~") ? value.split("|") : [value];
  return words.every((word) => [...all].some((each) => new RegExp(`^(?:${word})$`).test(each)));
}

describe("the check of expressions", () => {
  it.each([
    ["rate(tidemark_gateway_reads_total[5m])", ["there is no tidemark_gateway_reads_total"]],
    ['tidemark_gateway_errors_total{kind="internal"}', ["tidemark_gateway_errors_total has no such kind"]],
    ['tidemark_gateway_errors_total{code=~"internal|broken"}', ["tidemark_gateway_errors_total has no such code"]],
    ['tidemark_rpc_duration_seconds_bucket{le="0.3"}', ["tidemark_rpc_duration_seconds_bucket has no such le"]],
    ['tidemark_process_info{service="frontend"}', ["tidemark_process_info has no such service"]],
    ["sum by (chain) (tidemark_outbox_backlog)", ["no metric has chain"]],
    ["tidemark_rpc_duration_seconds", ["there is no tidemark_rpc_duration_seconds"]],
    ["1 > 0", ["no metric"]],
  ])("finds the problems of %s", (expression, problems) => {
    expect(problemsOf(expression)).toEqual(problems);
  });
});

/** Returns the aggregations of an expression that add up several namespaces. */
function mixingNamespaces(expression: string): string[] {
  const found = expression.match(/\b(?:sum|max|min|avg|count|group)\b(?: by \([^)]*\))?/g) ?? [];
  return found.filter((aggregation) => !/ by \(.*\bnamespace\b/.test(aggregation));
}

it("no rule adds up several namespaces", () => {
  expect(mixingNamespaces("sum(a) + max by (job) (b) + sum by (namespace, job) (c)")).toEqual(["sum", "max by (job)"]);
  for (const { expr } of rules) expect(mixingNamespaces(expr), expr).toEqual([]);
});

describe.each(recordings.map((recording) => [recording.record, recording] as const))(
  "the recording %s",
  (_, { expr }) => {
    it("is a number, or reads metrics, labels and values that exist", () => {
      if (!/^vector\(0\.\d+\)$/.test(expr)) expect(problemsOf(expr)).toEqual([]);
    });
  },
);

it("the objectives that the chart takes are bounds of buckets, which Prometheus 3 doesn't write otherwise", () => {
  const schema = JSON.parse(readRepository("deploy/helm/tidemark/values.schema.json"));
  const { publicReads, updates } = schema.properties.monitoring.properties.objectives.properties;
  const bounds: number[] = [publicReads, updates].flatMap(({ properties }) => properties.seconds.enum);
  expect(bounds.length).toBeGreaterThan(5);
  // It writes le="1.0" for 1.
  expect(bounds.filter((bound) => !DURATION_BUCKETS.includes(bound) || Number.isInteger(bound))).toEqual([]);
});

describe.each(alerts.map((alert) => [alert.alert, alert] as const))("the alert %s", (name, alert) => {
  it("reads metrics, labels and values that exist", () => {
    expect(problemsOf(alert.expr)).toEqual([]);
  });

  it("has a severity, a summary, a description and a runbook", () => {
    expect(alert.labels.severity).toMatch(/^(critical|warning|info)$/);
    expect(alert.for ?? "0m").toMatch(/^\d+m$/);
    expect(alert.annotations.summary).not.toBe("");
    expect(alert.annotations.description).not.toBe("");
    expect(alert.annotations.runbook).toBe(`docs/alerts.md#${name.toLowerCase()}`);
  });

  it("shows only labels that its result has", () => {
    const { labels, selectors } = promqlUse(alert.expr);
    const grouped =
      labels.length === 0 ? selectors.flatMap(({ metric }) => [...(known.get(metric)?.labels ?? [])]) : labels;
    const shown = [...alert.annotations.description.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label);
    const left = shown.filter((label) => ![...grouped, ...TARGET_LABELS].includes(label));
    expect(left).toEqual([]);
  });
});

it("docs/alerts.md says what to do about each alert, and has no others", () => {
  const sections = readRepository("docs/alerts.md").split(/^### /m).slice(1);
  expect(sections.map((section) => section.split("\n", 1)[0])).toEqual(alerts.map(({ alert }) => alert));
  for (const section of sections) expect(section).toMatch(/\n\*\*What to do\.\*\* \S/);
});

it("there is a dashboard for the overview and for each service", () => {
  const uids = ["auth", "commitments", "entities", "gateway", "indexer", "overview"].map((part) => `tidemark-${part}`);
  expect(dashboards.map(({ uid }) => uid).toSorted()).toEqual(uids);
});

describe.each(dashboards.map((dashboard) => [dashboard.title, dashboard] as const))(
  "the dashboard %s",
  (_, dashboard) => {
    it("reads metrics, labels and values that exist", () => {
      for (const { title, targets } of dashboard.panels) {
        for (const { expr } of targets) expect(problemsOf(expr), title).toEqual([]);
      }
    });

    it("has variables for labels that exist, and uses no others", () => {
      const names = dashboard.templating.list.map(({ name }) => name);
      const used = [...JSON.stringify(dashboard.panels).matchAll(/\$(?!__)(\w+)/g)].map(([, name = ""]) => name);
      expect([...new Set(used)].toSorted()).toEqual(names.toSorted());
      for (const { query } of dashboard.templating.list) {
        const [, metric = "", label = ""] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [];
        if (query !== "prometheus") expect(problemsOf(`sum by (${label}) (${metric})`), query).toEqual([]);
      }
    });

    it("describes each panel, uses only labels of the result in legends, and has no overlapping panels", () => {
      const cells = new Set<string>();
      for (const { title, description, gridPos, targets } of dashboard.panels) {
        expect(description, title).not.toBe("");
        for (const { expr, legendFormat } of targets) {
          const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
          expect([...promqlUse(expr.replaceAll("$__rate_interval", "5m")).labels, ...TARGET_LABELS], title).toEqual(
            expect.arrayContaining(shown),
          );
        }
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
          for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
            expect(cells.has(`${x}/${y}`) || x > 23, title).toBe(false);
            cells.add(`${x}/${y}`);
          }
        }
      }
    });
  },
);
