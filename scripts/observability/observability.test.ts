import { globSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ATTEMPT_SPANS } from "../../common/platform/db/sql/statement-span.ts";
import { DURATION_BUCKETS } from "../../common/platform/metrics/duration-buckets.ts";
import { SEMANTIC_ATTRIBUTES } from "../../common/platform/tracing/semantic-attributes.ts";
import { publicPaths } from "../../gateway/public-read/public-paths.ts";
import { readRepository } from "../../test/support/repository/repository.ts";
import { type KnownMetric, knownMetrics, TARGET_LABELS } from "./known-metrics.ts";
import { type LabelMatcher, promqlUse } from "./promql.ts";
import { traceqlUse } from "./traceql.ts";

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

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string;
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly templating: { readonly list: readonly Variable[] };
  readonly links: readonly object[];
  readonly panels: readonly {
    readonly title: string;
    readonly type: string;
    readonly options: object;
    readonly description: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly datasource: { readonly type: string; readonly uid: string };
    readonly targets: readonly (PromqlTarget | TraceqlTarget)[];
  }[];
}

/** Fields without a default in the schema, as grafana-foundation-sdk 0.0.22 checks them. */
const LINK_FIELDS = [
  "title",
  "type",
  "icon",
  "tooltip",
  "tags",
  "asDropdown",
  "targetBlank",
  "includeVars",
  "keepTime",
];
const PANEL_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  timeseries: ["legend", "tooltip"],
  stat: ["reduceOptions", "graphMode", "colorMode", "justifyMode", "textMode", "wideLayout", "orientation"],
  table: ["showHeader", "frameIndex"],
  traces: [],
};

interface PromqlTarget {
  readonly expr: string;
  readonly legendFormat: string;
}

interface TraceqlTarget {
  readonly query: string;
  readonly filters: readonly unknown[];
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

function isPromql(target: PromqlTarget | TraceqlTarget): target is PromqlTarget {
  return "expr" in target;
}

/** Returns a query with a value of each of its variables. */
function withValues(query: string, variables: readonly Variable[]): string {
  const first = (name: string) => variables.find((variable) => variable.name === name)?.query.split(",")[0];
  return query.replaceAll(/\$(\w+)/g, (text, name) => first(name) ?? text);
}

/** Returns what a TraceQL query names that no span has. */
function traceProblems(query: string): string[] {
  const { comparisons, selected } = traceqlUse(query);
  const attributes = [...comparisons.map(({ field }) => field), ...selected].filter((field) => field.includes("."));
  const known = SEMANTIC_ATTRIBUTES.map((name) => `${name.startsWith("service.") ? "resource" : "span"}.${name}`);
  const names = comparisons.flatMap(({ field, value }) => (field === "name" ? [JSON.parse(value)] : []));
  return [
    ...attributes.filter((attribute) => !known.includes(attribute)).map((attribute) => `there is no ${attribute}`),
    ...names.filter((name) => !ATTEMPT_SPANS.includes(name)).map((name) => `there is no span ${name}`),
  ];
}

describe("the check of queries of traces", () => {
  it.each([
    ['{ span.http.path = "/" }', ["there is no span.http.path"]],
    ["{ kind = server } | select(span.service.name)", ["there is no span.service.name"]],
    ['{ kind = server } >> { name = "sql write" }', ["there is no span sql write"]],
  ])("finds the problems of %s", (query, problems) => {
    expect(traceProblems(query)).toEqual(problems);
  });
});

it("the dashboard of slow reads takes the routes of public reads, below any prefix, and no streams", () => {
  const { list } = dashboards.find(({ uid }) => uid === "tidemark-slow-reads")?.templating ?? { list: [] };
  const taken = new RegExp(`^(?:${list.find(({ name }) => name === "route")?.query})$`);
  const { stream, saleScript, saleScriptExtras, ...reads } = publicPaths("some/prefix");
  const paths = [stream, saleScript, saleScriptExtras, ...Object.values(reads)];
  expect(paths.filter((path) => taken.test(path))).toEqual(Object.values(reads));
});

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

it("there is a dashboard for the overview, for slow reads and for each service", () => {
  const uids = ["auth", "commitments", "entities", "gateway", "indexer", "overview", "slow-reads"].map(
    (part) => `tidemark-${part}`,
  );
  expect(dashboards.map(({ uid }) => uid).toSorted()).toEqual(uids);
});

describe.each(dashboards.map((dashboard) => [dashboard.title, dashboard] as const))(
  "the dashboard %s",
  (_, dashboard) => {
    it("reads metrics, labels and values that exist", () => {
      for (const { title, targets } of dashboard.panels) {
        for (const { expr } of targets.filter(isPromql)) expect(problemsOf(expr), title).toEqual([]);
      }
    });

    it("asks for spans and attributes that are made", () => {
      for (const { title, datasource, targets } of dashboard.panels) {
        const queries = targets.flatMap((target) => (isPromql(target) ? [] : [target.query]));
        const type = queries.length === 0 ? "prometheus" : "tempo";
        expect(datasource, title).toEqual({ type, uid: type === "tempo" ? "$tempo" : "$datasource" });
        for (const query of queries.map((text) => withValues(text, dashboard.templating.list))) {
          if (query !== "") expect(traceProblems(query), title).toEqual([]);
        }
      }
    });

    it("has the fields that Grafana's schema requires of a dashboard, its links, panels and queries of traces", () => {
      expect(dashboard).toMatchObject({ schemaVersion: 39, editable: true, annotations: { list: [] } });
      expect(dashboard.links.length).toBeGreaterThan(0);
      for (const link of dashboard.links) expect(Object.keys(link)).toEqual(expect.arrayContaining(LINK_FIELDS));
      for (const { title, type, options, targets } of dashboard.panels) {
        expect(Object.keys(options), title).toEqual(
          expect.arrayContaining([...(PANEL_OPTIONS[type] ?? ["an unknown type"])]),
        );
        for (const target of targets) if (!isPromql(target)) expect(target.filters, title).toEqual([]);
      }
    });

    it("has variables for labels that exist, and uses no others", () => {
      const names = dashboard.templating.list.map(({ name }) => name);
      const uses = JSON.stringify(dashboard.panels).matchAll(/(?:\$\{?|\bvar-)(?!__)(\w+)/g);
      const used = [...uses].map(([, name = ""]) => name);
      expect([...new Set(used)].toSorted()).toEqual(names.toSorted());
      for (const { type, query } of dashboard.templating.list) {
        if (type === "datasource") expect(["prometheus", "tempo"]).toContain(query);
        if (type !== "query") continue;
        const [, metric = "", label = ""] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [];
        expect(problemsOf(`sum by (${label}) (${metric})`), query).toEqual([]);
      }
    });

    it("describes each panel, uses only labels of the result in legends, and has no overlapping panels", () => {
      const cells = new Set<string>();
      for (const { title, description, gridPos, targets } of dashboard.panels) {
        expect(description, title).not.toBe("");
        for (const { expr, legendFormat } of targets.filter(isPromql)) {
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
