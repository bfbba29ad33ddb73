import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHART, helmTemplate, renderChart, valuesFile } from "../support/repository/chart.ts";

const good = ["--values", valuesFile("default")];

describe("what the chart refuses", () => {
  it("names everything that is missing at once", async () => {
    const { ok, stderr } = await helmTemplate();
    expect(ok).toBe(false);
    for (const name of ["database.secretName", "nats.url", "urls.auth", "keyEncryptionKey.secretName", "mail"]) {
      expect(stderr).toMatch(new RegExp(`^${name.replace(".", "\\.")}: expected`, "m"));
    }
  });

  it.each([
    ["both monitors", ["monitoring.podMonitor=true", "monitoring.serviceMonitor=true"], "monitoring: expected either"],
    ["components without keys and tokens", ["callers.tokens.enabled=false"], "callers.keys.authSecretName: expected"],
    ["TLS without certificates", ["rpcTls.enabled=true"], "rpcTls.secretNames.commitments: expected"],
    ["a vendor without its secret", ["entities.identity.provider=webhook"], "entities.identity: expected startUrl and"],
    ["a vendor's page that nobody is sent to", ["entities.identity.startUrl=https://a"], "entities.identity: expected"],
    [
      "a signer of permits without a secret",
      ["entities.permitSigner.url=https://a"],
      "entities.permitSigner: expected",
    ],
    ["two authorities", ["database.ca.configMapName=a", "database.ca.secretName=b"], "database.ca: expected either"],
    ["a route without a Gateway", ["httpRoute.enabled=true"], "httpRoute.parentRefs: expected"],
    ["credentials without Secrets", ["nats.credentials.kind=token"], "nats.credentials: expected"],
    [
      "more pods at least than at most",
      ["auth.autoscaling.enabled=true", "auth.autoscaling.minReplicas=11"],
      "auth.autoscaling: expected",
    ],
    [
      "a grace that is too short to stop in",
      ["gateway.drainDelay=10500ms"],
      "gateway.terminationGracePeriodSeconds: expected more than 60, the sum of preStopSeconds, drainDelay and 44 s",
    ],
    [
      "misspelt settings",
      ["gateway.settings.STREM_MAX=1", "auth.settings.AUDIT_RETENTION_FILES=x"],
      "gateway.settings.STREM_MAX: expected a setting of docs/operating.md\nauth.settings.AUDIT_RETENTION_FILES: expected a setting",
    ],
    ["a value that doesn't exist", ["gateway.replica=3"], "additional properties 'replica' not allowed"],
  ])("%s", async (_, settings, message) => {
    const { ok, stderr } = await helmTemplate(...good, ...settings.flatMap((setting) => ["--set", setting]));
    expect(ok).toBe(false);
    expect(stderr).toContain(message);
  });
});

describe("the warnings of the notes", () => {
  /** Helm renders notes only where there is a cluster, so an object of ours asks for the warnings. */
  async function warnings(...args: readonly string[]): Promise<string> {
    const data = '{{ include "tidemark.warnings" . | b64enc }}';
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "warnings" }, data: { warnings: data } };
    const objects = await renderChart("--set-json", `extraObjects=${JSON.stringify([object])}`, ...args);
    const text = objects.find(({ metadata }) => metadata.name === "warnings")?.["data"].warnings;
    return Buffer.from(text, "base64").toString();
  }

  it("say loudly that an evaluation is not for production", async () => {
    expect(await warnings("--values", join(CHART, "values-evaluation.yaml"))).toMatch(
      /EVALUATION.*NEVER USE THIS IN PRODUCTION/,
    );
  });

  it("name what is weaker than it could be, and nothing where all is well", async () => {
    const weak = await warnings(...good, "--set", "ingress.enabled=true,networkPolicy.enabled=false");
    for (const name of [
      "image.digest",
      "rpcTls.enabled",
      "database.ca",
      "gateway.trustedProxies",
      "networkPolicy.enabled",
    ]) {
      expect(weak).toContain(`- ${name} is `);
    }
    expect(await warnings("--values", valuesFile("everything"))).toBe("");
  });

  const forged = "gateway.trustedProxies is 1 without networkPolicy.gatewayFrom";
  it.each<[string, Record<string, unknown>, string[]]>([
    ["any pod may pass for the proxy", { "networkPolicy.gatewayFrom": [] }, [forged]],
    ["no policy is there", { "networkPolicy.enabled": false }, [forged, "networkPolicy.enabled is false"]],
    [
      "proxies aren't trusted",
      { "networkPolicy.gatewayFrom": [], "gateway.trustedProxies": "0" },
      ["gateway.trustedProxies is 0 behind a proxy"],
    ],
    ["NATS takes anybody", { "nats.credentials.kind": "none" }, ["nats.credentials.kind is none"]],
    [
      "one server of NATS is reached without TLS",
      { "nats.url": "tls://a:4222,nats://b:4222", "nats.ca.secretName": "" },
      ["nats.url is nats:// without nats.ca"],
    ],
    ["an authority of NATS requires TLS", { "nats.url": "nats://a:4222" }, []],
    ["the runtime's authorities vouch for NATS", { "nats.ca.secretName": "" }, []],
    [
      "Prometheus isn't let in",
      { "networkPolicy.monitoringFrom": [] },
      ["monitoring.serviceMonitor is true without networkPolicy.monitoringFrom"],
    ],
    ["NATS isn't used", { "nats.enabled": false, "nats.credentials.kind": "none" }, ["nats.enabled is false"]],
  ])("are exact where %s: %j", async (_, values, expected) => {
    const settings = Object.entries(values).flatMap(([name, value]) => [
      "--set-json",
      `${name}=${JSON.stringify(value)}`,
    ]);
    const text = await warnings("--values", valuesFile("everything"), ...settings);
    const lines = text.split("\n").filter((line) => line !== "");
    expect(lines.map((line) => line.replace(/^- (.*?): [^/].*$/, "$1"))).toEqual(expected);
  });
});
