import { describe, expect, it } from "vitest";
import { helmTemplate, RELEASE, valuesFile } from "../support/repository/chart.ts";
import { ALERT_CASES } from "./alert-cases.ts";
import { alertRules, RUNBOOK, renderedRules, rulesOf } from "./alert-rules.ts";

it("there is a case for each alert of a namespace", () => {
  const alerts = rulesOf(alertRules).flatMap(({ alert }) => alert ?? []);
  expect(alerts).toContain("TidemarkAbsent");
  const ofNamespace = alerts.filter((alert) => alert !== "TidemarkAbsent");
  expect([...new Set(ALERT_CASES.map(({ alert }) => alert))]).toEqual(ofNamespace);
});

describe("the PrometheusRule", () => {
  it("has what the values say, and no other objective", async () => {
    const rules = rulesOf(
      await renderedRules(
        `monitoring.runbookUrl="${RUNBOOK}"`,
        "monitoring.objectives.publicReads.target=0.9995",
        "monitoring.objectives.publicReads.seconds=0.1",
        "monitoring.objectives.updates.target=0.95",
        "monitoring.objectives.updates.seconds=0.5",
      ),
    );
    const ofRecord = (record: string) => rules.filter((rule) => rule.record === record);
    const labels = { namespace: RELEASE.namespace };
    expect(ofRecord("tidemark:public_reads:objective")).toMatchObject([{ expr: "vector(0.9995)", labels }]);
    expect(ofRecord("tidemark:updates:objective")).toMatchObject([{ expr: "vector(0.95)", labels }]);
    const bounds = new Set(rules.flatMap(({ expr }) => expr.match(/\w+_seconds_bucket\{[^}]*le="[^"]*"/g) ?? []));
    expect([...bounds]).toEqual([
      'tidemark_gateway_public_read_duration_seconds_bucket{namespace="shop",result="ok",le="0.1"',
      'tidemark_gateway_stream_delay_seconds_bucket{namespace="shop",le="0.5"',
    ]);
    for (const { alert, annotations } of rules.filter((rule) => rule.alert)) {
      expect(annotations).toMatchObject({ runbook_url: `${RUNBOOK}#${alert?.toLowerCase()}` });
      expect(annotations).not.toHaveProperty("runbook");
    }
  });

  it("expects the services that the release runs", async () => {
    const expectedServices = async (...values: readonly string[]) =>
      rulesOf(await renderedRules(...values)).flatMap(({ record, labels }) =>
        record === "tidemark:expected_services" ? [`${labels?.["namespace"]} ${labels?.["service"]}`] : [],
      );
    const all = ["gateway", "commitments", "indexer", "auth", "entities"].map((service) => `shop ${service}`);
    expect(await expectedServices()).toEqual(all);
    expect(await expectedServices("indexer.enabled=false")).toEqual(all.slice(0, 2).concat("shop auth"));
  });

  it("reads only series of the release's namespace", async () => {
    for (const { expr, record, alert } of rulesOf(await renderedRules())) {
      const selectors = expr.match(/\b(?:tidemark|process|nodejs)[_:][\w:]*(\{namespace="shop")?/g) ?? [];
      for (const selector of selectors) expect(selector, record ?? alert).toContain('{namespace="shop"');
    }
  });

  it.each([
    'monitoring.runbookUrl="docs/alerts.md"',
    "monitoring.objectives.updates.seconds=3",
    "monitoring.objectives.updates.target=1",
  ])("can't be made with %s", async (value) => {
    expect(await helmTemplate("--values", valuesFile("default"), "--set-json", value)).toMatchObject({ ok: false });
  });
});
