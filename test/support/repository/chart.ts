import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { parseAllDocuments } from "yaml";
import { findProgram } from "../processes/program.ts";
import { REPOSITORY_ROOT } from "./repository.ts";

export const CHART = join(REPOSITORY_ROOT, "deploy/helm/tidemark");
/** The release that the tests render. */
export const RELEASE = { name: "t", namespace: "shop" } as const;
/** Helm asks no cluster. */
export const KUBERNETES = "1.34.0";
const LIMIT_MS = 4 * 60_000;

/** An object of Kubernetes, as rendered. */
// biome-ignore lint/suspicious/noExplicitAny: the tests look into objects of many kinds, and fail where a field is absent
export type KubernetesObject = Record<string, any>;

/** Files of values that the chart is checked with, by name. */
export const ciValues: readonly string[] = globSync("ci/*-values.yaml", { cwd: CHART })
  .map((path) => basename(path, "-values.yaml"))
  .toSorted();

export function valuesFile(name: string): string {
  return join(CHART, "ci", `${name}-values.yaml`);
}

/** `HELM`, which the part `chart` sets, or helm on the PATH. */
export function helmProgram(): string | undefined {
  return process.env["HELM"] ?? findProgram("helm");
}

export interface HelmResult {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export function helm(...args: readonly string[]): Promise<HelmResult> {
  const program = helmProgram();
  if (program === undefined) throw new Error("helm is not installed");
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 2 ** 26, timeout: LIMIT_MS }, (error, stdout, stderr) => {
      resolve({ ok: error === null, stdout, stderr });
    });
  });
}

export function helmTemplate(...args: readonly string[]): Promise<HelmResult> {
  return helm("template", RELEASE.name, CHART, "--namespace", RELEASE.namespace, "--kube-version", KUBERNETES, ...args);
}

export function helmLint(...args: readonly string[]): Promise<HelmResult> {
  return helm("lint", CHART, "--strict", "--kube-version", KUBERNETES, ...args);
}

/** @throws Error with what helm says where it renders nothing */
export async function renderChart(...args: readonly string[]): Promise<readonly KubernetesObject[]> {
  const { ok, stdout, stderr } = await helmTemplate(...args);
  if (!ok) throw new Error(stderr);
  // Kubernetes reads YAML 1.1, in which 0440 is octal.
  return parseAllDocuments(stdout, { version: "1.1" })
    .map((document) => document.toJS())
    .filter((object) => object !== null);
}

/** Those of a kind, by what follows the release's prefix in their name. */
export function ofKind(objects: readonly KubernetesObject[], kind: string): Map<string, KubernetesObject> {
  return new Map(objects.filter((object) => object["kind"] === kind).map((object) => [shortName(object), object]));
}

export function shortName({ metadata }: KubernetesObject): string {
  return metadata.name.replace(/^(t-tidemark|sale)-/, "");
}

/** A pod's specification and the object that it is of. */
export interface RenderedPod {
  readonly owner: string;
  readonly metadata: KubernetesObject;
  readonly spec: KubernetesObject;
}

export function podsOf(objects: readonly KubernetesObject[]): readonly RenderedPod[] {
  return objects.flatMap((object) => {
    const template = templateOf(object);
    const owner = `${object["kind"]} ${shortName(object)}`;
    return template === undefined ? [] : [{ owner, metadata: template["metadata"], spec: template["spec"] }];
  });
}

export function containersOf({ spec }: RenderedPod): readonly KubernetesObject[] {
  return [...(spec["initContainers"] ?? []), ...spec["containers"]];
}

function templateOf(object: KubernetesObject): KubernetesObject | undefined {
  if (object["kind"] === "Pod") return object;
  return object["spec"]?.jobTemplate?.spec.template ?? object["spec"]?.template;
}
