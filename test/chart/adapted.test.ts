import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import {
  containersOf,
  type KubernetesObject,
  ofKind,
  podsOf,
  type RenderedPod,
  renderChart,
  valuesFile,
} from "../support/repository/chart.ts";
import { codeBlocks } from "../support/repository/markdown.ts";
import { readRepository } from "../support/repository/repository.ts";

/** The defaults, with the rotation of keys, so that there is a pod of each kind. */
const ALL_PODS = ["--values", valuesFile("default"), "--set", "keyRotation.enabled=true"];

/** The values for OpenShift of docs/kubernetes.md. */
const [openShift = ""] = codeBlocks(readRepository("docs/kubernetes.md"), "yaml")
  .map(({ code }) => code)
  .filter((code) => code.includes("runAsUser: null"));

describe("what operators adapt", () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder?.remove());

  /** Renders the chart with values, as a file, in which numbers aren't what they are on the command line. */
  async function render(yaml: string, ...args: readonly string[]): Promise<readonly KubernetesObject[]> {
    const file = join(folder.path, "values.yaml");
    await writeFile(file, yaml);
    return renderChart(...ALL_PODS, ...args, "--values", file);
  }

  async function podsWith(yaml: string, ...args: readonly string[]): Promise<ReadonlyMap<string, RenderedPod>> {
    const pods = podsOf(await render(yaml, ...args));
    return new Map(pods.map((pod) => [pod.owner.replace(/-[0-9a-f]{10}$/, ""), pod]));
  }

  it("is the security context of all pods and containers, such as on OpenShift by docs/kubernetes.md", async () => {
    for (const [owner, pod] of await podsWith(openShift)) {
      for (const context of [
        pod.spec["securityContext"],
        ...containersOf(pod).map((each) => each["securityContext"]),
      ]) {
        expect(Object.keys(context), owner).not.toEqual(expect.arrayContaining(["runAsUser"]));
        expect(context, owner).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
        expect(context.runAsGroup ?? context.fsGroup, owner).toBeUndefined();
      }
      for (const { securityContext } of containersOf(pod)) {
        expect(securityContext, owner).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } });
      }
    }
  });

  it("is the port of the DNS pods, which all policies then let through, such as on OpenShift by docs/kubernetes.md", async () => {
    const policies = [...ofKind(await render(openShift), "NetworkPolicy").values()];
    const egress = policies.flatMap(({ spec }) => (spec.egress === undefined ? [] : [spec.egress[0]]));
    expect(egress.length).toBeGreaterThan(5);
    for (const { ports } of egress) {
      const expected = [53, 5353].flatMap((port) => ["UDP", "TCP"].map((protocol) => ({ protocol, port })));
      expect(ports).toEqual(expected);
    }
  });

  it("is where all pods run, unless a component says otherwise", async () => {
    const pods = await podsWith(`
      pods: { nodeSelector: { pool: all }, tolerations: [{ key: all, operator: Exists }], priorityClassName: all }
      auth: { nodeSelector: { pool: own }, tolerations: [{ key: own, operator: Exists }], priorityClassName: own }
      migrations: { nodeSelector: { pool: own }, tolerations: [{ key: own, operator: Exists }], priorityClassName: own }
      operator: { nodeSelector: { pool: own }, tolerations: [{ key: own, operator: Exists }], priorityClassName: own }`);
    const own = ["Deployment auth", "Job migrations", "CronJob operator", "CronJob key-rotation", "CronJob auth-check"];
    expect([...pods.keys()]).toEqual(expect.arrayContaining([...own, "Deployment gateway", "Pod test"]));
    for (const [owner, { spec }] of pods) {
      const value = own.includes(owner) ? "own" : "all";
      expect([spec["nodeSelector"], spec["tolerations"], spec["priorityClassName"]], owner).toEqual([
        { pool: value },
        [{ key: value, operator: "Exists" }],
        value,
      ]);
    }
  });

  it("are labels and annotations of the Job that migrates, of its pod and of the operator's pods", async () => {
    const own = "podLabels: { mesh: 'off' }, podAnnotations: { mesh/inject: 'false' }";
    const objects = await render(`
      migrations: { labels: { part: tables }, annotations: { note: job }, ${own} }
      operator: { ${own} }`);
    const job = objects.find(({ kind }) => kind === "Job")?.["metadata"];
    expect(job).toMatchObject({ labels: { part: "tables" }, annotations: { note: "job" } });
    for (const { owner, metadata } of podsOf(objects).filter((pod) => /Job (?!.*-check)/.test(pod.owner))) {
      expect(metadata, owner).toMatchObject({ labels: { mesh: "off" }, annotations: { "mesh/inject": "false" } });
    }
  });

  it("are service accounts of one's own, by which services then know each other", async () => {
    const names = ["gateway", "commitments", "indexer", "auth", "entities", "migrations", "operator"];
    const values = names.map((name) => `${name}: { serviceAccountName: own-${name} }`).join("\n");
    const objects = await render(values);
    expect(objects.filter(({ kind }) => kind === "ServiceAccount")).toEqual([]);
    for (const { owner, metadata, spec } of podsOf(objects).filter((pod) => pod.owner !== "Pod test")) {
      const component = metadata["labels"]["app.kubernetes.io/component"].replace(/-check$/, "");
      expect(spec["serviceAccountName"], owner).toBe(`own-${component}`);
    }
    expect(ofKind(objects, "ConfigMap").get("commitments")?.["data"].CALLER_SUBJECTS).toBe(
      "gateway=system:serviceaccount:shop:own-gateway,indexer=system:serviceaccount:shop:own-indexer," +
        "auth=system:serviceaccount:shop:own-auth,operator=system:serviceaccount:shop:own-operator," +
        "entities=system:serviceaccount:shop:own-entities",
    );
  });

  it("are containers before and beside, in their order, and volumes", async () => {
    const extra =
      "extraInitContainers: [{ name: proxy, restartPolicy: Always }], extraVolumes: [{ name: extra, emptyDir: {} }]";
    const pods = await podsWith(`
      commitments: { extraContainers: [{ name: beside }], ${extra} }
      migrations: { ${extra} }`);
    const namesOf = (owner: string) =>
      ["initContainers", "containers", "volumes"].map((field) =>
        pods.get(owner)?.spec[field].map(({ name }: { name: string }) => name),
      );
    expect(namesOf("Deployment commitments")).toEqual([
      ["proxy", "await-migrations"],
      ["commitments", "beside"],
      expect.arrayContaining(["settings", "extra"]),
    ]);
    expect(namesOf("Job migrations")).toEqual([
      ["proxy", "commitments", "auth"],
      ["entities"],
      ["tmp", "settings", "extra"],
    ]);
    const withoutAuth = await podsWith(
      `migrations: { ${extra} }`,
      "--set",
      "auth.enabled=false,keyRotation.enabled=false",
    );
    expect(withoutAuth.get("Job migrations")?.spec["initContainers"]).toHaveLength(1);
  });

  it("are the probes' times and the way in which pods are replaced", async () => {
    const objects = await render(`
      gateway: { strategy: { type: Recreate }, probes: { startup: { failureThreshold: 300 }, readiness: { initialDelaySeconds: 9 } } }`);
    const { spec } = ofKind(objects, "Deployment").get("gateway") ?? {};
    expect(spec.strategy).toEqual({ type: "Recreate" });
    const [{ startupProbe, readinessProbe }] = spec.template.spec.containers;
    expect(startupProbe).toMatchObject({ httpGet: { path: "/healthz" }, failureThreshold: 300, periodSeconds: 2 });
    expect(readinessProbe).toMatchObject({ httpGet: { path: "/readyz" }, initialDelaySeconds: 9, periodSeconds: 3 });
    expect(ofKind(objects, "Deployment").get("auth")?.["spec"].strategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
  });

  it.each([
    ["gateway", ""],
    ["evaluation", "enabled: true, "],
  ])("are settings, whose numbers arrive as they were written: %s", async (name, enabled) => {
    const settings =
      "{ STREAM_MAX: 1000000, NATS_STREAM_REPLICAS: 3, OTEL_TRACES_SAMPLER_ARG: 0.25, OTEL_SDK_DISABLED: true }";
    const objects = await render(`${name}: { ${enabled}settings: ${settings} }`);
    expect(ofKind(objects, "ConfigMap").get(name)?.["data"]).toMatchObject({
      STREAM_MAX: "1000000",
      NATS_STREAM_REPLICAS: "3",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
      OTEL_SDK_DISABLED: "true",
    });
  });
});
