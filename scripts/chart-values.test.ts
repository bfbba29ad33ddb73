import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CHART, ciValues, valuesFile } from "../test/support/repository/chart.ts";
import { chartReadme, chartSettings, documentedValues, README, SETTINGS } from "./chart-readme.ts";

type Values = Record<string, unknown>;

const standard: Values = parse(readFileSync(join(CHART, "values.yaml"), "utf8"));
const schema = JSON.parse(readFileSync(join(CHART, "values.schema.json"), "utf8"));
const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);

/** Merges values as Helm does: maps key by key, everything else as a whole. */
function merged(base: unknown, over: unknown): unknown {
  if (!isMap(base) || !isMap(over)) return over;
  const keys = [...new Set([...Object.keys(base), ...Object.keys(over)])];
  return Object.fromEntries(keys.map((key) => [key, key in over ? merged(base[key], over[key]) : base[key]]));
}

function isMap(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the paths of all maps in which the schema allows no unknown key, including the root. */
function closedMaps(node: { additionalProperties?: unknown; properties?: Values }, path: string[] = []): string[][] {
  if (node.properties === undefined) return [];
  const below = Object.entries(node.properties).flatMap(([key, child]) => closedMaps(child as never, [...path, key]));
  return [path, ...below];
}

function withValue(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

describe("the chart's README", () => {
  it("is generated from the comments of values.yaml", async () => {
    expect(await readFile(README, "utf8")).toBe(await chartReadme());
  });

  it("refuses a value without a comment", () => {
    expect(() => documentedValues("a:\n  # -- good\n  b: 1\n  c: 2\n")).toThrow("values.yaml: a.c has no comment");
  });
});

it("the chart knows the settings of docs/operating.md", async () => {
  expect(await readFile(SETTINGS, "utf8")).toBe(await chartSettings());
});

describe("values.schema.json", () => {
  it("accepts the defaults and every values file", () => {
    const files = [...ciValues.map(valuesFile), join(CHART, "values-ha.yaml"), join(CHART, "values-evaluation.yaml")];
    expect(ciValues.length).toBeGreaterThan(3);
    for (const file of files) {
      expect(
        validate(merged(standard, parse(readFileSync(file, "utf8")))),
        `${file} ${JSON.stringify(validate.errors)}`,
      ).toBe(true);
    }
  });

  it("is tested with ci/ha-values.yaml, which includes all of values-ha.yaml", () => {
    const [checked, ha] = [valuesFile("ha"), join(CHART, "values-ha.yaml")].map((file) =>
      parse(readFileSync(file, "utf8")),
    );
    expect(checked).toMatchObject(ha);
  });

  it.each(closedMaps(schema).map((path) => [path.join(".") || "the root", path] as const))(
    "refuses an unknown value in %s",
    (_, path) => {
      expect(validate(merged(standard, withValue(path, { unheardOf: 1 })))).toBe(false);
    },
  );

  it("knows every value of values.yaml, and allows unknown keys only where values are passed on as they are", () => {
    const missing: string[] = [];
    const open: string[] = [];
    const visit = (value: unknown, node: Values, path: string) => {
      if (!isMap(value)) return;
      const { properties, additionalProperties } = node as { properties?: Values; additionalProperties?: unknown };
      if (properties === undefined)
        return void open.push(path.replace(/^(gateway|commitments|indexer|auth|entities)\./, "*."));
      expect(additionalProperties, path).toBe(false);
      for (const key of Object.keys(value)) {
        if (properties[key] === undefined) missing.push(`${path}.${key}`);
        else visit(value[key], properties[key] as Values, path === "" ? key : `${path}.${key}`);
      }
    };
    visit(standard, schema, "");
    expect(missing).toEqual([]);
    expect([...new Set(open)].toSorted()).toEqual([
      "*.affinity",
      "*.autoscaling.behavior",
      "*.nodeSelector",
      "*.podAnnotations",
      "*.podLabels",
      "*.resources",
      "*.service.annotations",
      "*.serviceAccountAnnotations",
      "*.settings",
      "*.strategy",
      "callers.subjects",
      "commonAnnotations",
      "commonLabels",
      "evaluation.nodeSelector",
      "evaluation.podAnnotations",
      "evaluation.podLabels",
      "evaluation.resources",
      "evaluation.settings",
      "externalSecrets.storeRef",
      "httpRoute.annotations",
      "ingress.annotations",
      "keyRotation.resources",
      "migrations.annotations",
      "migrations.labels",
      "migrations.nodeSelector",
      "migrations.podAnnotations",
      "migrations.podLabels",
      "migrations.resources",
      "monitoring.dashboardLabels",
      "monitoring.labels",
      "operator.nodeSelector",
      "operator.podAnnotations",
      "operator.podLabels",
      "operator.resources",
      "pods.containerSecurityContext",
      "pods.nodeSelector",
      "pods.securityContext",
      "rpcTls.certManager.issuerRef",
    ]);
  });

  it.each<[string, unknown]>([
    ["an invalid digest", { image: { digest: "sha256:abc" } }],
    ["an origin with a path", { urls: { auth: "https://sale.example.com/sale" } }],
    ["an unknown mode of migrations", { migrations: { mode: "auto" } }],
    ["a port above 65535", { gateway: { service: { port: 65_536 } } }],
    ["a setting in lower case", { gateway: { settings: { cache: "1" } } }],
    ["a secret instead of the name of a Secret", { database: { secretName: "mysql://user:password@host/db" } }],
  ])("refuses %s", (_, values) => {
    expect(validate(merged(standard, values))).toBe(false);
  });
});
