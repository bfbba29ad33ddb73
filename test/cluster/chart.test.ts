import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { CHART, ciValues, type KubernetesObject, valuesFile } from "../support/repository/chart.ts";
import { SOON } from "../support/repository/polling.ts";
import { KubeApi } from "./support/api.ts";
import { helm, kubectl, script } from "./support/commands.ts";
import { createRestrictedNamespace, objectsIn } from "./support/namespaces.ts";
import { type RunPod, StandInKubelet, withoutContainers } from "./support/stand-in-kubelet.ts";

const access = inject("cluster");
const RELEASE = "t";
/** The longest name that Helm takes. */
const LONG_RELEASE = "x".repeat(53);
const WAIT = ["--wait", "--wait-for-jobs", "--timeout", "100s"];
const REQUIRED = ["--values", valuesFile("default")];

describe("the chart on a real API server", () => {
  let api: KubeApi;
  const kubelets: StandInKubelet[] = [];
  beforeAll(async () => {
    api = new KubeApi(access);
    // ci/everything-values.yaml names it.
    const priority = {
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name: "high" },
      value: 1,
    };
    await api.create("/apis/scheduling.k8s.io/v1/priorityclasses", priority);
  });
  afterAll(async () => {
    await Promise.all(kubelets.map((kubelet) => kubelet.stop()));
    api?.close();
  });

  /** A namespace whose pods are ready, or end, as soon as they are admitted. */
  async function namespaceOf(name: string, runPod: RunPod = withoutContainers()): Promise<string> {
    await createRestrictedNamespace(api, name);
    kubelets.push(new StandInKubelet(api, name, runPod));
    return name;
  }

  const release = (command: string, namespace: string, ...args: readonly string[]) =>
    helm(access, [command, RELEASE, CHART, "--namespace", namespace, ...args]);

  async function list(namespace: string, path: string): Promise<readonly KubernetesObject[]> {
    const [group = "", kind = ""] = path.split(/\/(?=[a-z]+$)/);
    return (await api.get(`/apis/${group}/namespaces/${namespace}/${kind}`))["items"];
  }

  it.concurrent.each(ciValues)(
    "is installed, upgraded and uninstalled with ci/%s-values.yaml, every pod under Pod Security's profile restricted",
    async (name) => {
      const namespace = await namespaceOf(`chart-${name}`);
      const values = ["--values", valuesFile(name)];
      await release("install", namespace, ...values, ...WAIT);
      await release("upgrade", namespace, ...values, "--set", "logLevel=warn", ...WAIT);

      const deployments = await list(namespace, "apps/v1/deployments");
      expect(deployments.length).toBeGreaterThan(0);
      for (const { spec, status } of deployments) expect(status.updatedReplicas).toBe(spec.replicas);
      const jobs = await list(namespace, "batch/v1/jobs");
      const kept = ["evaluation", "hook", "public-read"].includes(name) ? [] : [1];
      expect(jobs.map(({ status }) => status.succeeded)).toEqual(kept);

      await helm(access, ["uninstall", RELEASE, "--namespace", namespace, "--wait"]);
      await vi.waitFor(async () => expect(await objectsIn(api, namespace)).toEqual([]), SOON);
    },
  );

  it.concurrent.each(ciValues)("has no field that the API doesn't know: ci/%s-values.yaml", async (name) => {
    const namespace = `fields-${name}`;
    await createRestrictedNamespace(api, namespace);
    const version = (await api.get("/version"))["gitVersion"];
    const template = `helm template ${RELEASE} ${CHART} --namespace ${namespace} --kube-version ${version} --values ${valuesFile(name)}`;
    const created = await script(
      access,
      `${template} | kubectl create --dry-run=server --validate=strict --output name --filename -`,
    );
    expect(created.split("\n").length).toBeGreaterThan(5);
  });

  it.concurrent.each([
    ["a Job", "default", /job is failed: failed-default\/t-tidemark-migrations-/],
    ["a hook", "hook", /job t-tidemark-migrations failed/],
  ])("says that a migration failed, as %s, and is installed by the same command later", async (_, name, message) => {
    const state = { fails: true };
    const namespace = await namespaceOf(
      `failed-${name}`,
      withoutContainers(() => state.fails),
    );
    const args = ["--install", "--values", valuesFile(name), "--set", "migrations.backoffLimit=0", ...WAIT];
    await expect(release("upgrade", namespace, ...args)).rejects.toThrow(message);
    state.fails = false;
    await kubectl(access, [
      ...["--namespace", namespace, "delete", "job", "--selector", "app.kubernetes.io/component=migrations"],
    ]);
    await release("upgrade", namespace, ...args);
    const jobs = await list(namespace, "batch/v1/jobs");
    expect(jobs.map(({ status }) => status.succeeded)).toEqual(name === "hook" ? [] : [1]);
  });

  it.concurrent("keeps the number of pods when autoscaling is turned on, and off", async () => {
    const namespace = await namespaceOf("autoscaling");
    const replicas = async () => {
      const deployments = await list(namespace, "apps/v1/deployments");
      return deployments.find(({ metadata }) => metadata.name === "t-tidemark-gateway")?.["spec"].replicas;
    };
    await release("install", namespace, ...REQUIRED, "--set", "gateway.replicas=4", ...WAIT);
    const scaled = [...REQUIRED, "--set", "gateway.autoscaling.enabled=true", ...WAIT];
    for (const level of ["info", "warn"]) {
      await release("upgrade", namespace, ...scaled, "--set", `logLevel=${level}`);
      expect(await replicas()).toBe(4);
    }
    await release("upgrade", namespace, ...REQUIRED, "--set", "gateway.replicas=3", ...WAIT);
    expect(await replicas()).toBe(3);
  });

  it.concurrent("is checked in namespaces that let no other pod in", async () => {
    const namespace = await namespaceOf("unconfined");
    const spec = { containers: [{ name: "unconfined", image: "tidemark" }] };
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "unconfined" }, spec };
    // Without the namespace's service account, which comes a moment later, it isn't looked at.
    await vi.waitFor(async () => {
      const created = api.create(`/api/v1/namespaces/${namespace}/pods`, pod);
      await expect(created).rejects.toThrow("violates PodSecurity");
    }, SOON);
  });

  it.concurrent("takes the longest name of a release, its CronJobs too", async () => {
    const namespace = await namespaceOf("long-names");
    const args = [...REQUIRED, "--set", "keyRotation.enabled=true", ...WAIT];
    await helm(access, ["install", LONG_RELEASE, CHART, "--namespace", namespace, ...args]);
    const cronJobs = await list(namespace, "batch/v1/cronjobs");
    expect(cronJobs.length).toBeGreaterThan(1);
    for (const { metadata } of cronJobs) {
      const job = `${metadata.name}-27716000`;
      await kubectl(access, ["--namespace", namespace, "create", "job", job, "--from", `cronjob/${metadata.name}`]);
      await kubectl(access, [
        "--namespace",
        namespace,
        "wait",
        "--for=condition=Complete",
        "--timeout=100s",
        `job/${job}`,
      ]);
    }
  });
});
