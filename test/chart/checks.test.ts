import { expect, it } from "vitest";
import { COMMANDS } from "../../services/cli/commands.ts";
import {
  type KubernetesObject,
  ofKind,
  podsOf,
  renderChart,
  shortName,
  valuesFile,
} from "../support/repository/chart.ts";

const COMPONENTS = ["auth", "commitments", "entities", "gateway", "indexer"];
const COMPONENT = "app.kubernetes.io/component";

const render = (name: string, ...args: readonly string[]) => renderChart("--values", valuesFile(name), ...args);

const specOf = (objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject =>
  ofKind(objects, kind).get(name)?.["spec"] ?? {};

it("has a template of the check of each component, which never runs by itself", async () => {
  const objects = await render("everything");
  const templates = objects.filter(({ kind, metadata }) => kind === "CronJob" && metadata.labels["tidemark-check"]);
  expect(templates.map(({ metadata }) => metadata.labels["tidemark-check"]).toSorted()).toEqual(COMPONENTS);
  for (const { spec } of templates)
    expect(spec).toMatchObject({ suspend: true, jobTemplate: { spec: { backoffLimit: 0 } } });
});

it.each(["default", "everything", "ha"])(
  "checks with the component's own image, settings, secrets and account (%s)",
  async (values) => {
    const objects = await render(values);
    const pods = new Map(podsOf(objects).map((pod) => [pod.owner, pod.spec]));
    const installed = COMPONENTS.filter((name) => pods.has(`Deployment ${name}`));
    expect(installed.length).toBeGreaterThan(1);
    for (const name of installed) {
      const own = pods.get(`Deployment ${name}`) ?? {};
      const check = pods.get(`CronJob ${name}-check`) ?? {};
      const [serving, checking] = [own, check].map(({ containers }) => containers[0]);
      for (const field of ["image", "envFrom", "env", "volumeMounts", "securityContext"]) {
        expect(checking[field], `${name} ${field}`).toEqual(serving[field]);
      }
      for (const field of ["serviceAccountName", "volumes", "securityContext", "automountServiceAccountToken"]) {
        expect(check[field], `${name} ${field}`).toEqual(own[field]);
      }
      expect(checking.args).toEqual([...serving.args, "--check", "--retry"]);
    }
  },
);

it.each(["default", "everything", "ha"])(
  "lets a check out as its component and nobody in, and no Service sends it anything (%s)",
  async (values) => {
    const objects = await render(values);
    const services = objects.filter(({ kind }) => kind === "Service");
    const checks = podsOf(objects).filter(({ owner }) => owner.startsWith("CronJob") && owner.endsWith("-check"));
    for (const { owner, metadata } of checks) {
      const check = owner.replace("CronJob ", "");
      const policy = specOf(objects, "NetworkPolicy", check);
      expect(policy["podSelector"].matchLabels[COMPONENT]).toBe(check);
      expect(metadata["labels"]).toMatchObject(policy["podSelector"].matchLabels);
      expect(policy).toMatchObject({ policyTypes: ["Ingress", "Egress"], ingress: [] });
      expect(policy["egress"]).toEqual(specOf(objects, "NetworkPolicy", check.replace(/-check$/, ""))["egress"]);
      for (const service of services) {
        const selects = Object.entries(service["spec"].selector).every(
          ([key, value]) => metadata["labels"][key] === value,
        );
        expect(selects, `${shortName(service)} selects ${check}`).toBe(false);
      }
    }
    expect(checks.length).toBeGreaterThan(1);
  },
);

it("checks an evaluation beside its process, on its volume, and lets nobody in", async () => {
  const objects = await render("evaluation");
  const pods = new Map(podsOf(objects).map((pod) => [pod.owner, pod]));
  const own = pods.get("Deployment evaluation")?.spec ?? {};
  const check = pods.get("CronJob evaluation-check");
  const checking = check?.spec ?? {};
  expect(specOf(objects, "CronJob", "evaluation-check")["suspend"]).toBe(true);
  for (const field of ["image", "envFrom", "env", "volumeMounts", "securityContext"]) {
    expect(checking["containers"][0][field], field).toEqual(own["containers"][0][field]);
  }
  for (const field of ["serviceAccountName", "volumes", "securityContext", "automountServiceAccountToken"]) {
    expect(checking[field], field).toEqual(own[field]);
  }
  expect(checking["containers"][0].args).toEqual(["services/embedded.ts", "--check", "--retry"]);
  const [{ podAffinityTerm }] = checking["affinity"].podAffinity.preferredDuringSchedulingIgnoredDuringExecution;
  const labels = pods.get("Deployment evaluation")?.metadata["labels"];
  expect(labels).toMatchObject(podAffinityTerm.labelSelector.matchLabels);
  expect(check?.metadata["labels"][COMPONENT]).toBe("evaluation-check");
  const policy = specOf(objects, "NetworkPolicy", "evaluation-check");
  expect(check?.metadata["labels"]).toMatchObject(policy["podSelector"].matchLabels);
  expect(policy).toMatchObject({ policyTypes: ["Ingress"], ingress: [] });
});

it("runs only commands that there are", async () => {
  const pods = podsOf(await render("default", "--set", "keyRotation.enabled=true"));
  const run = pods
    .flatMap(({ spec }) => spec["containers"])
    .filter(({ args = [] }) => args[0] === "services/cli/main.ts");
  const lines = run.map(({ args }) => args.slice(1).join(" ")).filter((line) => line !== "--help");
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !COMMANDS.some(({ name }) => line === name || line.startsWith(`${name} `)))).toEqual(
    [],
  );
});
