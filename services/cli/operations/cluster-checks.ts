import { randomBytes } from "node:crypto";
import type { Finding, FindingLevel } from "../../../common/platform/checks/finding.ts";
import { CommandFailure, NoAnswer } from "../base/cli-error.ts";
import type { Kubectl } from "./kubectl.ts";

/** The label of the chart's templates of checks. Its value is the component. */
const LABEL = "tidemark-check";
/** Longer than a check takes with its retry, and an image that has to be pulled. */
const WAIT = "3m";
const START_REMEDY = "look at your rights, and at what the namespace's quotas and admission rules let in";
const LEVELS: readonly FindingLevel[] = ["ok", "warning", "failed"];
/** Names of Jobs have at most 63 characters. */
const NAME_LENGTH = 52;

/** Findings of the check of a component. */
export interface ComponentFindings {
  readonly component: string;
  readonly findings: readonly Finding[];
}

/** A template of Jobs, as far as it is read. */
export interface CheckTemplate {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly jobTemplate: { readonly spec: JobSpec } };
}

interface JobSpec {
  readonly template: {
    readonly spec: { readonly containers: readonly { readonly args?: readonly string[] }[] };
  };
}

/**
 * Finds the templates of checks.
 *
 * @param release its name; undefined for all of the namespace
 * @throws NoAnswer if the cluster can't be asked
 */
export async function checkTemplates(kubectl: Kubectl, release: string | undefined): Promise<readonly CheckTemplate[]> {
  const labels = release === undefined ? LABEL : `${LABEL},app.kubernetes.io/instance=${release}`;
  const list = await kubectl(["get", "cronjobs", "--selector", labels, "--output", "json"]).catch((error: unknown) => {
    throw error instanceof CommandFailure ? new NoAnswer(error.message) : error;
  });
  return (JSON.parse(list) as { readonly items: readonly CheckTemplate[] }).items;
}

/**
 * Runs a check in the cluster as a Job, which is deleted afterwards.
 *
 * @param cleanUp as `kubectl`, also once the command is interrupted
 * @returns what it has found, or why it found nothing
 */
export async function checkComponent(
  kubectl: Kubectl,
  cleanUp: Kubectl,
  template: CheckTemplate,
): Promise<ComponentFindings> {
  const component = template.metadata.labels[LABEL] ?? template.metadata.name;
  const job = jobOf(template);
  const { name } = job.metadata;
  try {
    await kubectl(["create", "--filename", "-"], JSON.stringify(job));
    return { component, findings: await findingsOf(kubectl, name) };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const text = `it couldn't be started: ${error.message}`;
    return { component, findings: [{ level: "failed", subject: "check", text, remedy: START_REMEDY }] };
  } finally {
    await cleanUp(["delete", `job/${name}`, "--wait=false", "--ignore-not-found", "--request-timeout=10s"]).catch(
      orNoText,
    );
  }
}

async function findingsOf(kubectl: Kubectl, name: string): Promise<readonly Finding[]> {
  // A condition of whatever kind: the Job has ended.
  const ended = ["wait", `job/${name}`, "--for", "jsonpath={.status.conditions[0].type}", "--timeout", WAIT];
  const isEnded = await kubectl(ended).then(
    () => true,
    (error: unknown) => orFailure(error, false),
  );
  const output = isEnded ? await kubectl(["logs", `job/${name}`, "--container", "check"]).catch(orNoText) : "";
  return findingsIn(output) ?? [await silenceOf(kubectl, name, output)];
}

/** Returns the Job that a template makes, whose check prints JSON. */
function jobOf({ metadata, spec }: CheckTemplate) {
  const { template, ...rest } = spec.jobTemplate.spec;
  const [container, ...others] = template.spec.containers;
  const check = { ...container, args: [...(container?.args ?? []), "--json"] };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: `${metadata.name.slice(0, NAME_LENGTH)}-${randomBytes(4).toString("hex")}`,
      labels: metadata.labels,
    },
    spec: { ...rest, template: { ...template, spec: { ...template.spec, containers: [check, ...others] } } },
  };
}

/** Returns the findings that a check has printed; undefined for anything else. A pod's log has the runtime's warnings, too. */
function findingsIn(output: string): readonly Finding[] | undefined {
  const json = /^\[\n.*?^\]$/ms.exec(output)?.[0];
  try {
    const parsed: unknown = JSON.parse(json ?? "");
    return Array.isArray(parsed) && parsed.length > 0 ? parsed.map(judged) : undefined;
  } catch {
    return undefined;
  }
}

/** Another version's check may judge by a level that isn't known here: that doesn't count as passed. */
function judged(finding: Finding): Finding {
  return LEVELS.includes(finding.level) ? finding : { ...finding, level: "failed" };
}

/** Something that an object of the cluster says of itself. */
interface Statement {
  readonly reason?: string;
  readonly message?: string;
}

interface Pod {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly conditions?: readonly Statement[];
    readonly containerStatuses?: readonly { readonly state?: Readonly<Record<string, Statement>> }[];
  };
}

/** Says why a Job has printed nothing: its last output, or what keeps its pod from running. */
async function silenceOf(kubectl: Kubectl, job: string, output: string): Promise<Finding> {
  const [pod] = await listOf<Pod>(kubectl, ["pods", "--selector", `job-name=${job}`]);
  const states = (pod?.status?.containerStatuses ?? []).flatMap(({ state = {} }) => Object.values(state));
  // The state of a pod whose volumes can't be mounted doesn't say why: a Secret that is missing is in its events only.
  const warnings = output === "" ? await warningsOf(kubectl, pod?.metadata.name ?? job) : [];
  const reasons = [...states, ...warnings, ...(pod?.status?.conditions ?? [])]
    .filter(({ message }) => message !== undefined && message !== "")
    .map(({ reason, message }) => `${reason ?? ""}: ${message}`);
  const text = reasons[0] ?? (output.trim().split("\n").at(-1) || "its pod can't be found");
  const remedy = "mend what keeps the component's own pods from running, too";
  return { level: "failed", subject: "check", text: `it printed nothing: ${text}`, remedy };
}

/** Returns the warnings of a pod or Job, the latest first. */
async function warningsOf(kubectl: Kubectl, name: string): Promise<readonly Statement[]> {
  const selector = `type=Warning,involvedObject.name=${name}`;
  const events = await listOf<Statement>(kubectl, ["events", "--field-selector", selector, "--sort-by=.lastTimestamp"]);
  return events.toReversed();
}

/** Returns objects of the cluster; none where they can't be read. */
async function listOf<Item>(kubectl: Kubectl, args: readonly string[]): Promise<readonly Item[]> {
  const list = await kubectl(["get", ...args, "--output", "json"]).catch(orNoText);
  return list === "" ? [] : (JSON.parse(list) as { readonly items: readonly Item[] }).items;
}

/** The result where kubectl says that something failed. @throws anything else */
function orFailure<Result>(error: unknown, result: Result): Result {
  if (error instanceof CommandFailure) return result;
  throw error;
}

function orNoText(error: unknown): string {
  return orFailure(error, "");
}
