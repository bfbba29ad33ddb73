import { beforeAll, describe, expect, it } from "vitest";
import {
  ciValues,
  containersOf,
  helmLint,
  type KubernetesObject,
  ofKind,
  podsOf,
  renderChart,
  shortName,
  valuesFile,
} from "../support/repository/chart.ts";

const COMPONENTS = ["gateway", "commitments", "indexer", "auth", "entities"];

const WITH_TLS = ["enabled=true", "certManager.enabled=true", "certManager.issuerRef.name=any"].flatMap((value) => [
  "--set",
  `rpcTls.${value}`,
]);

/** Whether a pod of these labels is selected. */
function selects(labels: Record<string, string>, selector: Record<string, string> = {}): boolean {
  return Object.entries(selector).every(([key, value]) => labels[key] === value);
}

describe.each(ciValues)("the chart with ci/%s-values.yaml", (name) => {
  let objects: readonly KubernetesObject[];
  beforeAll(async () => {
    objects = await renderChart("--values", valuesFile(name));
  });

  it("passes helm lint --strict", async () => {
    const { ok, stdout } = await helmLint("--values", valuesFile(name));
    expect(ok, stdout).toBe(true);
  });

  it("has no two objects of one kind and name, each in the release's namespace", () => {
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
    for (const object of objects.filter(({ metadata }) => metadata.name !== "t-extra")) {
      expect(object["metadata"].namespace).toBe("shop");
    }
  });

  it("selects pods that are there, by each selector", () => {
    const labels = podsOf(objects).map(({ metadata }) => metadata["labels"]);
    const selectors = objects.flatMap((object): [string, Record<string, string>][] => {
      const own = `${object["kind"]} ${shortName(object)}`;
      if (object["kind"] === "Service") return [[own, object["spec"].selector]];
      if (object["kind"] === "PodDisruptionBudget") return [[own, object["spec"].selector.matchLabels]];
      if (object["kind"] === "Deployment") return [[own, object["spec"].selector.matchLabels]];
      return [];
    });
    expect(selectors.length).toBeGreaterThan(1);
    for (const [owner, selector] of selectors) {
      expect(labels.filter((each) => selects(each, selector)).length, owner).toBeGreaterThan(0);
    }
  });

  it("names ports, settings and service accounts that are there", () => {
    const maps = ofKind(objects, "ConfigMap");
    const accounts = ofKind(objects, "ServiceAccount");
    for (const pod of podsOf(objects)) {
      if (pod.owner !== "Pod test")
        expect(accounts.has(pod.spec["serviceAccountName"].replace(/^(t-tidemark|sale)-/, "")), pod.owner).toBe(true);
      for (const container of containersOf(pod)) {
        const ports = (container["ports"] ?? []).map((port: { name: string }) => port.name);
        for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
          if (container[probe]) expect(ports).toContain(container[probe].httpGet.port);
        }
        for (const { configMapRef } of container["envFrom"] ?? []) {
          expect(maps.has(configMapRef.name.replace(/^(t-tidemark|sale)-/, ""))).toBe(true);
        }
        const volumes = pod.spec["volumes"].map((volume: { name: string }) => volume.name);
        for (const mount of container["volumeMounts"]) expect(volumes).toContain(mount.name);
      }
    }
    for (const [service, { spec }] of ofKind(objects, "Service")) {
      const pods = podsOf(objects).filter(({ metadata }) => selects(metadata["labels"], spec.selector));
      const ports = pods.flatMap((pod) => containersOf(pod).flatMap(({ ports: own = [] }) => own));
      for (const { targetPort } of spec.ports) {
        expect(
          ports.map((port: { name: string }) => port.name),
          service,
        ).toContain(targetPort);
      }
    }
  });

  it("keeps no secret in an object: they are mounted as files", () => {
    expect(ofKind(objects, "Secret").size).toBe(0);
    for (const { data } of ofKind(objects, "ConfigMap").values()) {
      const secret =
        /^(MYSQL_URL|CALLER_KEYS?|KEY_ENCRYPTION_KEY|SMTP_URL|IDENTITY_WEBHOOK_SECRET|PERMIT_SIGNER_SECRET|CHAINS|NATS_(PASSWORD|TOKEN|CREDS)|OTEL_EXPORTER_OTLP_HEADERS)$/;
      expect(Object.keys(data ?? {}).filter((key) => secret.test(key))).toEqual([]);
    }
  });

  // https://kubernetes.io/docs/concepts/security/pod-security-standards/ says what "restricted" is.
  it("has only pods that Pod Security's profile restricted lets in, and that can't write to their image", () => {
    const pods = podsOf(objects);
    expect(pods.length).toBeGreaterThan(1);
    for (const pod of pods) {
      const { spec } = pod;
      expect([spec["hostNetwork"], spec["hostPID"], spec["hostIPC"]], pod.owner).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(spec["securityContext"], pod.owner).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 });
      expect(spec["securityContext"].seccompProfile.type).toBe("RuntimeDefault");
      expect(spec["automountServiceAccountToken"], pod.owner).toBe(false);
      for (const volume of spec["volumes"]) {
        const { name: _, ...source } = volume;
        expect(["emptyDir", "projected", "configMap", "secret", "persistentVolumeClaim"]).toContain(
          Object.keys(source)[0],
        );
      }
      for (const container of containersOf(pod)) {
        expect(container["securityContext"], pod.owner).toMatchObject({
          allowPrivilegeEscalation: false,
          privileged: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          capabilities: { drop: ["ALL"] },
          seccompProfile: { type: "RuntimeDefault" },
        });
        expect(container["securityContext"].capabilities.add).toBeUndefined();
        expect(container["ports"]?.some((port: KubernetesObject) => port["hostPort"])).toBeFalsy();
        expect(container["resources"].requests, pod.owner).toMatchObject({
          cpu: expect.anything(),
          memory: expect.anything(),
        });
        expect(container["resources"].limits.memory, pod.owner).toBeDefined();
      }
    }
  });
});

describe("the chart", () => {
  const render = (name: string, ...args: readonly string[]) => renderChart("--values", valuesFile(name), ...args);

  it("runs each component as a Deployment of its own, which is stopped within its grace", async () => {
    const deployments = ofKind(await render("default"), "Deployment");
    expect([...deployments.keys()].toSorted()).toEqual(COMPONENTS.toSorted());
    for (const { spec } of deployments.values()) {
      expect(spec.replicas).toBe(2);
      const { terminationGracePeriodSeconds, containers } = spec.template.spec;
      const preStop = containers[0].lifecycle.preStop.sleep.seconds;
      // Four steps of 10 s and a tenth, and DRAIN_DELAY.
      expect(terminationGracePeriodSeconds).toBeGreaterThan(preStop + 2 + 44);
      const paths = ["startupProbe", "livenessProbe", "readinessProbe"].map(
        (probe) => containers[0][probe].httpGet.path,
      );
      expect(paths).toEqual(["/healthz", "/healthz", "/readyz"]);
    }
  });

  it("keeps new pods of a component apart, wherever the old ones of an upgrade are", async () => {
    for (const { spec } of ofKind(await render("default"), "Deployment").values()) {
      const { affinity, topologySpreadConstraints } = spec.template.spec;
      const [{ podAffinityTerm }] = affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution;
      for (const { labelSelector, matchLabelKeys } of [podAffinityTerm, ...topologySpreadConstraints]) {
        expect(matchLabelKeys).toEqual(["pod-template-hash"]);
        expect(labelSelector).toEqual(spec.selector);
      }
    }
  });

  it("gives pods new settings by a checksum, and the migrations another Job by another name", async () => {
    const [before, after] = await Promise.all([render("default"), render("default", "--set", "logLevel=debug")]);
    const checksum = (objects: readonly KubernetesObject[]) =>
      ofKind(objects, "Deployment").get("gateway")?.["spec"].template.metadata.annotations["checksum/config"];
    expect(checksum(before)).not.toBe(checksum(after));
    const job = (objects: readonly KubernetesObject[]) => [...ofKind(objects, "Job").keys()][0];
    expect(job(before)).toMatch(/^migrations-[0-9a-f]{10}$/);
    expect(job(after)).not.toBe(job(before));
    const image = await render("default", "--set", "image.tag=2.0.0");
    expect(job(image)).not.toBe(job(before));
    const replicas = await render("default", "--set", "gateway.replicas=5");
    expect(job(replicas)).toBe(job(before));
  });

  it("migrates by a Job that pods wait for, by a hook, or not at all", async () => {
    const waits = (objects: readonly KubernetesObject[]) =>
      podsOf(objects)
        .filter((pod) => pod.spec["initContainers"]?.[0].args.includes("--await-migrations"))
        .map(({ owner }) => owner);
    const job = await render("default");
    expect(waits(job).toSorted()).toEqual(["Deployment auth", "Deployment commitments", "Deployment entities"]);
    const hook = await render("hook");
    expect(waits(hook)).toEqual([]);
    expect(ofKind(hook, "Job").get("migrations")?.["metadata"].annotations["helm.sh/hook"]).toBe(
      "pre-install,pre-upgrade",
    );
    const none = await render("public-read");
    expect([waits(none), ofKind(none, "Job").size]).toEqual([[], 0]);
  });

  it("leaves none of a hook's objects behind that has succeeded, as an uninstallation doesn't know them", async () => {
    const hooks = (await render("hook"))
      .map(({ kind, metadata }) => [kind, metadata.annotations ?? {}] as const)
      .filter(([, annotations]) => annotations["helm.sh/hook"]?.startsWith("pre-install"));
    expect(hooks.map(([kind]) => kind).toSorted()).toEqual(["Job", "ServiceAccount"]);
    for (const [, annotations] of hooks) expect(annotations["helm.sh/hook-delete-policy"]).toMatch(/,hook-succeeded$/);
  });

  it("names CronJobs as the API takes them, with at most 52 characters", async () => {
    const args = ["--set", "keyRotation.enabled=true", "--set", `fullnameOverride=${"x".repeat(60)}`];
    const names = (await render("default", ...args))
      .filter(({ kind }) => kind === "CronJob")
      .map(({ metadata }) => metadata.name.length);
    expect(names).toHaveLength(2 + COMPONENTS.length);
    for (const length of names) expect(length).toBeLessThanOrEqual(52);
  });

  it("runs the operator's command by its own service account only as a Job that somebody makes from a suspended CronJob", async () => {
    const operator = async (...args: readonly string[]) =>
      ofKind(await render("default", ...args), "CronJob").get("operator")?.["spec"];
    const { suspend, jobTemplate } = await operator();
    expect(suspend).toBe(true);
    expect(jobTemplate.spec.template.spec.serviceAccountName).toBe("t-tidemark-operator");
    const keys = COMPONENTS.flatMap((name) => ["--set", `callers.keys.${name}SecretName=keys`]);
    const withoutTokens = [...keys, "--set", "callers.tokens.enabled=false"];
    expect(await operator(...withoutTokens)).toBeUndefined();
    const withKey = await operator(...withoutTokens, "--set", "callers.keys.operatorSecretName=operator-key");
    expect(JSON.stringify(withKey)).toContain('"CALLER_KEY_FILE"');
  });

  it("lets components reach each other, and nobody else their RPCs", async () => {
    const objects = await render("default");
    const policies = ofKind(objects, "NetworkPolicy");
    const componentsOf = (peers: KubernetesObject[] = []) =>
      peers.flatMap((peer) => peer["podSelector"]?.matchLabels["app.kubernetes.io/component"] ?? []).toSorted();
    const callers = (name: string) => {
      const all = componentsOf(policies.get(name)?.["spec"].ingress[0].from);
      const own = all.filter((each) => !each.endsWith("-check"));
      // Who may call may also check whether it can.
      expect(all).toEqual(
        [...own, ...own.filter((each) => each !== "operator").map((each) => `${each}-check`)].toSorted(),
      );
      return own;
    };
    expect(callers("commitments")).toEqual(["auth", "entities", "gateway", "indexer", "operator"]);
    expect(callers("auth")).toEqual(["commitments", "entities", "gateway", "operator"]);
    expect(callers("indexer")).toEqual(["commitments", "entities", "gateway", "operator"]);
    expect(callers("entities")).toEqual(["auth", "commitments", "gateway", "operator"]);
    const calls = (name: string) =>
      policies
        .get(name)
        ?.["spec"].egress.flatMap((rule: KubernetesObject) => componentsOf(rule["to"]))
        .toSorted();
    expect(calls("gateway")).toEqual(["auth", "commitments", "entities", "indexer"]);
    expect(calls("commitments")).toEqual(["auth", "entities", "indexer"]);
    expect(calls("indexer")).toEqual(["commitments"]);
    expect(calls("auth")).toEqual(["commitments", "entities"]);
    expect(calls("entities")).toEqual(["auth", "commitments", "indexer"]);
    for (const name of [...COMPONENTS, "operator", "test"]) {
      expect(policies.get(name)?.["spec"].policyTypes, name).toEqual(["Ingress", "Egress"]);
    }
    expect(policies.get("gateway")?.["spec"].ingress).toEqual([{ ports: [{ protocol: "TCP", port: 8080 }] }]);
    expect(JSON.stringify(objects)).not.toContain("8085");
  });

  it("lets the operator's command alone ask gateways for their status, with a key of its own and no token for them", async () => {
    const objects = await render("default", "--set", "callers.keys.gatewayStatusSecretName=status");
    const policies = ofKind(objects, "NetworkPolicy");
    const peer = (name: string) => ({
      podSelector: { matchLabels: expect.objectContaining({ "app.kubernetes.io/component": name }) },
    });
    const ports = [{ protocol: "TCP", port: 8085 }];
    const [, status, ...others] = policies.get("gateway")?.["spec"].ingress ?? [];
    expect([status, others]).toEqual([{ ports, from: [peer("operator")] }, []]);
    const asking = [...policies].filter(([, { spec }]) => JSON.stringify(spec.egress).includes("8085"));
    expect(asking.map(([name]) => name)).toEqual(["operator"]);
    expect(policies.get("operator")?.["spec"].egress).toContainEqual({ ports, to: [peer("gateway")] });

    const { spec } = ofKind(objects, "Service").get("gateway-status") ?? {};
    expect(spec).toMatchObject({ clusterIP: "None", publishNotReadyAddresses: true });
    const published = ofKind(objects, "Service").get("gateway")?.["spec"].ports;
    expect(published.map(({ name }: KubernetesObject) => name)).toEqual(["http"]);

    const gateway = podsOf(objects).find(({ owner }) => owner === "Deployment gateway");
    const volumes = JSON.stringify(gateway?.spec["volumes"]);
    expect(volumes).toContain('{"secret":{"name":"status","items":[{"key":"caller-keys","path":"caller-keys"}]}}');
    expect(volumes).not.toMatch(/caller-key"|issuer-token/);
    const settings = ofKind(objects, "ConfigMap").get("gateway")?.["data"];
    expect(settings).toMatchObject({ GATEWAY_RPC_PORT: "8085" });
    expect(Object.keys(settings).filter((name) => name.startsWith("CALLER_TOKEN_"))).toEqual(["CALLER_TOKEN_DIR"]);
    const operator = JSON.stringify(podsOf(objects).find(({ owner }) => owner === "CronJob operator")?.spec);
    expect(operator).toContain('"value":"http://t-tidemark-gateway-status.shop.svc:8085"');
    expect(operator).toContain(
      '{"secret":{"name":"status","items":[{"key":"caller-key","path":"gateway-caller-key"}]}}',
    );
  });

  it("has a certificate for the gateways' status, by the name under which the operator asks", async () => {
    const objects = await render("everything");
    const { spec } = ofKind(objects, "Certificate").get("gateway") ?? {};
    const url = JSON.stringify(podsOf(objects).find(({ owner }) => owner === "CronJob operator")?.spec);
    expect(url).toContain(`https://${spec.dnsNames[0]}:8085`);
    expect([...ofKind(await render("default", ...WITH_TLS), "Certificate").keys()]).not.toContain("gateway");
  });

  it("lets components out to the ports of NATS and of the receiver of traces, as their addresses say", async () => {
    const policies = ofKind(await render("ha"), "NetworkPolicy");
    const portsOf = (name: string): number[] =>
      policies
        .get(name)
        ?.["spec"].egress.flatMap((rule: KubernetesObject) => rule["ports"].map(({ port }: KubernetesObject) => port));
    expect(portsOf("gateway")).toEqual(expect.arrayContaining([14222, 14223, 14318]));
    expect(portsOf("commitments")).toEqual(expect.arrayContaining([14222, 14223, 14318]));
    const without = [
      "--set",
      "nats.url=nats://nats",
      "--set",
      "tracing.endpoint=https://collector",
      "--set",
      "networkPolicy.nats.ports={5222}",
    ];
    const others = ofKind(await render("default", ...without), "NetworkPolicy").get("gateway")?.["spec"].egress;
    expect(JSON.stringify(others)).toMatch(/"port":5222.*"port":443/);
    expect(JSON.stringify(others)).not.toContain("4222}");
  });

  it("mounts tokens for the services that a component calls, and gives servers their exact subjects", async () => {
    const objects = await render("default");
    const audiences = Object.fromEntries(
      podsOf(objects)
        .filter(({ owner }) => owner.startsWith("Deployment"))
        .map(({ owner, spec }) => {
          const tokens = spec["volumes"].find((volume: { name: string }) => volume.name === "tokens");
          return [
            owner,
            tokens?.projected.sources.map((source: KubernetesObject) => source["serviceAccountToken"].audience),
          ];
        }),
    );
    expect(audiences).toEqual({
      "Deployment gateway": ["tidemark.commitments", "tidemark.auth", "tidemark.indexer", "tidemark.entities"],
      "Deployment commitments": ["tidemark.auth", "tidemark.indexer", "tidemark.entities"],
      "Deployment indexer": ["tidemark.commitments"],
      "Deployment auth": ["tidemark.commitments", "tidemark.entities"],
      "Deployment entities": ["tidemark.commitments", "tidemark.auth", "tidemark.indexer"],
    });
    const accounts = objects.filter(({ kind }) => kind === "ServiceAccount").map(({ metadata }) => metadata.name);
    const subjects: string = ofKind(objects, "ConfigMap").get("commitments")?.["data"].CALLER_SUBJECTS;
    for (const entry of subjects.split(",")) {
      const [, namespace, account] = /^\w+=system:serviceaccount:([^:]+):([^:]+)$/.exec(entry) ?? [];
      expect([namespace, accounts.includes(account)]).toEqual(["shop", true]);
    }
  });

  it.each([
    ["has", "default", []],
    ["has, with TLS,", "everything", []],
    ["has not, without a sign-in,", "default", ["--set", "auth.enabled=false"]],
    ["has not, without an indexer,", "default", ["--set", "indexer.enabled=false"]],
    ["has not, without both,", "public-read", []],
  ])("%s a dashboard that asks the indexer: %s %j", async (word, name, args) => {
    const objects = await render(name, ...args);
    const has = !word.startsWith("has not");
    const setting = (owner: string, key: string): string | undefined =>
      ofKind(objects, "ConfigMap").get(owner)?.["data"][key];
    const service = ofKind(objects, "Service").get("indexer")?.["metadata"].name;
    const scheme = name === "everything" ? "https" : "http";
    expect(setting("gateway", "INDEXER_URL")).toBe(has ? `${scheme}://${service}.shop.svc:8082` : undefined);
    expect(setting("indexer", "CALLER_SUBJECTS")?.includes("gateway=") ?? false).toBe(has);
    const gateway = podsOf(objects).find(({ owner }) => owner === "Deployment gateway");
    expect(JSON.stringify(gateway?.spec["volumes"]).includes('"tidemark.indexer"')).toBe(has);
    const ofIndexer = '"app.kubernetes.io/component":"indexer"';
    const ofGateway = '"app.kubernetes.io/component":"gateway"';
    const policies = ofKind(objects, "NetworkPolicy");
    const rules = (owner: string, way: string) => JSON.stringify(policies.get(owner)?.["spec"][way] ?? []);
    expect(rules("gateway", "egress").includes(ofIndexer)).toBe(has);
    expect(rules("indexer", "ingress").includes(ofGateway)).toBe(has);
  });

  it.each([
    ["runs", "default", []],
    ["runs, with TLS,", "everything", []],
    ["doesn't run, without a sign-in,", "default", ["--set", "auth.enabled=false"]],
    ["doesn't run, without an indexer,", "default", ["--set", "indexer.enabled=false"]],
    ["doesn't run, if it is off,", "default", ["--set", "entities.enabled=false"]],
  ])("%s the entities service, and the others know: %s %j", async (word, name, args) => {
    const objects = await render(name, ...args);
    const runs = word.startsWith("runs");
    const kinds = objects.filter((object) => shortName(object) === "entities").map(({ kind }) => kind);
    expect(kinds.includes("Deployment")).toBe(runs);
    if (!runs) expect(kinds).toEqual([]);
    const service = ofKind(objects, "Service").get("entities")?.["metadata"].name;
    const scheme = name === "everything" ? "https" : "http";
    const auth = ofKind(objects, "ConfigMap").has("auth") ? ["auth"] : [];
    for (const caller of ["gateway", "commitments", ...auth]) {
      const { data } = ofKind(objects, "ConfigMap").get(caller) ?? {};
      expect(data.ENTITIES_URL, caller).toBe(runs ? `${scheme}://${service}.shop.svc:8084` : undefined);
      const { spec } = podsOf(objects).find(({ owner }) => owner === `Deployment ${caller}`) ?? {};
      expect(JSON.stringify(spec?.["volumes"]).includes('"tidemark.entities"'), caller).toBe(runs);
    }
    const ofEntities = '"app.kubernetes.io/component":"entities"';
    for (const [owner, { spec }] of ofKind(objects, "NetworkPolicy")) {
      if (!runs) expect(JSON.stringify(spec), owner).not.toContain(ofEntities);
    }
    for (const owner of ["commitments", ...auth]) {
      const subjects: string = ofKind(objects, "ConfigMap").get(owner)?.["data"].CALLER_SUBJECTS;
      expect(subjects.includes("entities="), owner).toBe(runs);
    }
  });

  it.each(["entities", "commitments"])(
    "lets the %s service out to the Internet and to no private network, or to whom the values name",
    async (service) => {
      const outbound = async (name: string) =>
        ofKind(await render(name), "NetworkPolicy")
          .get(service)
          ?.["spec"].egress.find(({ ports }: KubernetesObject) => ports[0].port === 443);
      const { to } = await outbound("default");
      expect(to.map(({ ipBlock }: KubernetesObject) => ipBlock.cidr)).toEqual(["0.0.0.0/0", "::/0"]);
      expect(to[0].ipBlock.except).toEqual(expect.arrayContaining(["10.0.0.0/8", "169.254.0.0/16"]));
      expect(to[1].ipBlock.except).toContain("fc00::/7");
      expect(await outbound("everything")).toEqual({
        ports: [443, 8443].map((port) => ({ protocol: "TCP", port })),
        to: [{ ipBlock: { cidr: "203.0.113.0/24" } }],
      });
    },
  );

  it("lets the entities service out to the server that holds the keys of permits, only if there is one", async () => {
    const ports = async (name: string) =>
      ofKind(await render(name), "NetworkPolicy")
        .get("entities")
        ?.["spec"].egress.flatMap((rule: KubernetesObject) => rule["ports"].map(({ port }: KubernetesObject) => port));
    expect(await ports("everything")).toContain(8000);
    expect(await ports("default")).not.toContain(8000);
  });

  it.each([
    ["entities", "tidemark-entities-keys"],
    ["commitments", "tidemark-webhook-keys"],
  ])("gives the %s service the key of auth, or its own", async (service, own) => {
    const keyOf = async (name: string) => {
      const pod = podsOf(await render(name)).find(({ owner }) => owner === `Deployment ${service}`);
      const settings = pod?.spec["volumes"].find((volume: KubernetesObject) => volume["name"] === "settings");
      return settings.projected.sources.find(
        ({ secret }: KubernetesObject) => secret?.items[0].path === "key-encryption-key",
      ).secret.name;
    };
    expect([await keyOf("default"), await keyOf("everything")]).toEqual(["tidemark-keys", own]);
  });

  it.each([
    ["auth", "tidemark-former-keys"],
    ["entities", "tidemark-former-entities-keys"],
    ["commitments", "tidemark-former-webhook-keys"],
  ])("gives the %s service a second key while its key changes, and no other service", async (service, other) => {
    const othersOf = async (name: string) =>
      podsOf(await render(name)).flatMap(({ owner, spec }) =>
        JSON.stringify(spec).includes(`"name":"${other}"`) ? [owner] : [],
      );
    expect([await othersOf("default"), await othersOf("everything")]).toEqual([
      [],
      [`Deployment ${service}`, `CronJob ${service}-check`],
    ]);
  });

  it("pins the image by its digest", async () => {
    const images = podsOf(await render("everything")).flatMap((pod) => containersOf(pod).map(({ image }) => image));
    expect(new Set(images)).toEqual(new Set([`tidemark@sha256:${"0123456789abcdef".repeat(4)}`]));
  });

  it("leads the hosts of the public origins to the gateway", async () => {
    const objects = await render("everything");
    const ingress = [...ofKind(objects, "Ingress").values()][0];
    const hosts = ["sale.example.com", "figures.example.com"];
    expect(ingress?.["spec"].rules.map((rule: { host: string }) => rule.host)).toEqual(hosts);
    const [service] = ofKind(objects, "Service").keys();
    expect(ofKind(objects, "Service").has("gateway"), service).toBe(true);
    const route = [...ofKind(objects, "HTTPRoute").values()][0];
    expect(route?.["spec"]).toMatchObject({
      hostnames: hosts,
      rules: [{ backendRefs: [{ name: "sale-gateway", port: 80 }] }],
    });
  });

  it("shows mails in an evaluation that sends none, and nowhere else", async () => {
    const shown = async (...args: readonly string[]) =>
      [...ofKind(await renderChart(...args), "ConfigMap").values()].map(({ data }) => data?.MAIL_PAGE);
    const evaluation = ["--values", valuesFile("evaluation")];
    expect(await shown(...evaluation)).toEqual(["on"]);
    expect(await shown(...evaluation, "--set", "evaluation.settings.SMTP_URL=smtp://x")).toEqual([undefined]);
    for (const name of ["default", "everything"]) expect(await shown("--values", valuesFile(name))).not.toContain("on");
  });

  it("runs one pod and nothing else for an evaluation", async () => {
    const objects = await render("evaluation");
    expect([...ofKind(objects, "Deployment").keys()]).toEqual(["evaluation"]);
    expect(ofKind(objects, "Job").size).toBe(0);
    const spec = ofKind(objects, "Deployment").get("evaluation")?.["spec"];
    expect([spec.replicas, spec.strategy.type]).toEqual([1, "Recreate"]);
  });
});
