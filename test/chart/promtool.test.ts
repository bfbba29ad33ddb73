import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { findProgram } from "../support/processes/program.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { ALERT_CASES, type AlertCase, TARGET } from "./alert-cases.ts";
import { alertRules, alertsText, RUNBOOK, type RuleFile, renderedRules, rulesOf } from "./alert-rules.ts";

const promtool = process.env["PROMTOOL"] ?? findProgram("promtool");
const LIMIT_MS = 4 * 60_000;

function run(...args: readonly string[]): Promise<{ readonly ok: boolean; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(promtool ?? "", args, { timeout: LIMIT_MS, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: stdout + stderr });
    });
  });
}

const nameOf = ({ alert, when }: AlertCase) => (when === undefined ? alert : `${alert}: ${when}`);

/** Series with the labels of a target in a namespace. */
function inNamespace(namespace: string, series: AlertCase["firing"]) {
  const target = Object.entries({ ...TARGET, namespace }).map(([label, value]) => `${label}="${value}"`);
  return Object.entries(series).map(([name, values]) => {
    const [, metric = "", own = ""] = /^([\w:]+)(?:\{(.*)\})?$/.exec(name) ?? [];
    return { series: `${metric}{${[...target, ...(own === "" ? [] : [own])].join()}}`, values };
  });
}

/** The alert that is expected, with its annotations. */
function expected({ alert, labels, target = ["namespace", "job"], description }: AlertCase, rules: RuleFile) {
  const rule = rulesOf(rules).find((each) => each.alert === alert);
  const ofTarget = Object.fromEntries(target.map((label) => [label, TARGET[label]]));
  return {
    exp_labels: { ...rule?.labels, ...ofTarget, ...labels },
    exp_annotations: { ...rule?.annotations, ...(description !== undefined && { description }) },
  };
}

/** Every case, firing in one namespace beside another one in which all is well. */
function testsOf(rules: RuleFile, cases: readonly AlertCase[]) {
  return cases.map((each) => ({
    name: nameOf(each),
    interval: "1m",
    input_series: [...inNamespace(TARGET.namespace, each.firing), ...inNamespace("fair", each.silent)],
    alert_rule_test: [{ eval_time: `${each.minutes}m`, alertname: each.alert, exp_alerts: [expected(each, rules)] }],
  }));
}

/** Without promtool the tests are skipped, with this as their reason. */
const missing = promtool === undefined ? " (promtool is not installed)" : "";

describe.skipIf(promtool === undefined)(`promtool${missing}`, () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder?.remove());

  async function write(name: string, content: string | object): Promise<string> {
    const path = join(folder.path, name);
    await writeFile(path, typeof content === "string" ? content : stringify(content));
    return path;
  }

  async function testRules(groups: RuleFile["groups"], tests: readonly object[]) {
    const path = await write("rules.yaml", { groups });
    return run("test", "rules", await write("tests.yaml", { rule_files: [path], evaluation_interval: "1m", tests }));
  }

  /** Tests each group of alerts by its own cases, beside groups that only record: all rules for all cases would take minutes. */
  async function testCases(rules: RuleFile, cases: readonly AlertCase[]) {
    const alertsOf = (group: RuleFile["groups"][number]) => group.rules.flatMap(({ alert }) => alert ?? []);
    const failures: string[] = [];
    for (const group of rules.groups) {
      const own = cases.filter(({ alert }) => alertsOf(group).includes(alert));
      const groups = rules.groups.filter((each) => each === group || alertsOf(each).length === 0);
      if (own.length === 0) continue;
      const { ok, output } = await testRules(groups, testsOf(rules, own));
      if (!ok) failures.push(output);
    }
    return failures;
  }

  it("finds nothing wrong with the rules, in the file and as the chart renders them", async () => {
    for (const rules of [alertsText, await renderedRules()]) {
      const { ok, output } = await run("check", "rules", await write("checked.yaml", rules));
      expect(ok, output).toBe(true);
    }
  });

  /** Expects no failure of a group, and says each in the error's first line, the only one that a run's summary has. */
  function expectNone(failures: readonly string[]): void {
    expect(failures, failures.join(" ").replaceAll(/\s+/g, " ")).toEqual([]);
  }

  it("sees each alert fire for one namespace and stay silent for another", async () => {
    expectNone(await testCases(alertRules, ALERT_CASES));
  });

  it("sees the same of the rules that the chart renders, which know the services of their release", async () => {
    const services = ["gateway", "commitments", "indexer", "auth", "entities"];
    const processes = services.map((each): [string, string] => [`tidemark_process_info{service="${each}"}`, "1x10"]);
    const absent: AlertCase = {
      alert: "TidemarkServiceAbsent",
      firing: Object.fromEntries(processes.filter(([series]) => !series.includes("indexer"))),
      silent: Object.fromEntries(processes),
      minutes: 10,
      labels: { service: "indexer" },
      target: ["namespace"],
      description: "Prometheus has scraped no process of indexer in shop for 5 minutes.",
    };
    const others = ALERT_CASES.filter(({ alert }) => alert !== absent.alert);
    expectNone(await testCases(await renderedRules(`monitoring.runbookUrl="${RUNBOOK}"`), [absent, ...others]));
  });

  it("sees that nothing is scraped at all", async () => {
    const rule = rulesOf(alertRules).find(({ alert }) => alert === "TidemarkAbsent");
    const test = (series: AlertCase["firing"], exp_alerts: readonly object[]) => ({
      interval: "1m",
      input_series: inNamespace("fair", series),
      alert_rule_test: [{ eval_time: "10m", alertname: "TidemarkAbsent", exp_alerts }],
    });
    const alert = { exp_labels: rule?.labels, exp_annotations: rule?.annotations };
    const tests = [test({ up: "1x10" }, [alert]), test({ 'tidemark_process_info{service="auth"}': "1x10" }, [])];
    const { ok, output } = await testRules(alertRules.groups, tests);
    expect(ok, output).toBe(true);
  });

  it.each([
    ["TidemarkStaleReads", "by (namespace, job)", "by (job)"],
    ["TidemarkOutboxLag", "> 30", "> 300"],
    ["TidemarkUpdateBudgetBurnsFast", 'le="2.5"', 'le="5"'],
  ])("would see a mistake in %s: %s as %s", async (alert, right, wrong) => {
    const cases = ALERT_CASES.filter((each) => each.alert === alert);
    expect(await testCases(parse(alertsText.replaceAll(right, wrong)), cases)).not.toEqual([]);
  });
});
