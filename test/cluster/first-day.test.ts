import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type MariaDb, startMariaDb } from "../support/databases/mariadb.ts";
import { type Nats, startNats } from "../support/processes/nats.ts";
import { type SmtpSink, startSmtpSink } from "../support/processes/smtp-sink.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { codeBlocks } from "../support/repository/markdown.ts";
import { SOON } from "../support/repository/polling.ts";
import { readRepository } from "../support/repository/repository.ts";
import { type ClusterAccess, KubeApi } from "./support/api.ts";
import { kubectl, script } from "./support/commands.ts";
import { accessIn } from "./support/namespace-access.ts";
import { createRestrictedNamespace, objectsIn } from "./support/namespaces.ts";
import { NodeLogs } from "./support/node-logs.ts";
import { commandsBelow, sectionOf } from "./support/page-sections.ts";
import { PodProcesses } from "./support/pod-processes.ts";
import { StandInKubelet } from "./support/stand-in-kubelet.ts";

const NAMESPACE = "sale";
const NODE = "first-day";
const HOST = "sale.example.com";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Runs what docs/kubernetes.md says, in its order, with the addresses of this machine in place of an operator's own. */
describe("an operator's first day, as docs/kubernetes.md describes it", () => {
  const page = readRepository("docs/kubernetes.md");
  const cluster = inject("cluster");
  let folder: TemporaryFolder;
  let access: ClusterAccess;
  let api: KubeApi;
  let database: MariaDb;
  let nats: Nats;
  let mail: SmtpSink;
  let pods: PodProcesses;
  let kubelet: StandInKubelet;
  let logs: NodeLogs;
  let databaseUrl: string;

  beforeAll(async () => {
    [folder, database, nats, mail] = await Promise.all([
      temporaryFolder(),
      startMariaDb(),
      startNats(),
      startSmtpSink(),
    ]);
    databaseUrl = await database.createDatabase("tidemark");
    access = await accessIn(cluster, NAMESPACE, folder.path);
    api = new KubeApi(access);
    await createRestrictedNamespace(api, NAMESPACE);
    const outside = new Map([
      ["https://kubernetes.default.svc/", `${access.url}/`],
      ["nats.nats.svc:4222", new URL(nats.url).host],
    ]);
    pods = new PodProcesses({ api, namespace: NAMESPACE, folder: folder.path, outside });
    logs = await NodeLogs.start(api, NODE, (pod, container) => pods.processOf(pod, container));
    kubelet = new StandInKubelet(api, NAMESPACE, (pod) => pods.run(pod), NODE);
  });
  afterAll(async () => {
    await kubelet?.stop();
    await Promise.all([pods?.services.stop(), logs?.stop(), database?.stop(), nats?.stop(), mail?.stop()]);
    api?.close();
    await folder?.remove();
  });

  /** The scripts below the heading on the operator's command, in their order: in the cluster, from outside, a first sale. */
  const [inCluster, fromOutside, firstSale] = codeBlocks(sectionOf(page, "The operator's command"), "bash").map(
    ({ code }) => code,
  );

  /** Variables that say what `kubectl port-forward` would: where the Services are. */
  async function forwarded(): Promise<Record<string, string>> {
    const url = async (service: string, port: number) => `http://${await pods.services.addressOf(service, port)}`;
    return {
      COMMITMENTS_URL: await url("tidemark-commitments", 8081),
      AUTH_RPC_URL: await url("tidemark-auth", 8083),
      ENTITIES_URL: await url("tidemark-entities", 8084),
    };
  }

  const withoutForwarding = (commands: string) => commands.replaceAll(/^kubectl port-forward .*$/gm, "");

  async function publicRead(path: string): Promise<{ readonly status: number; readonly body: unknown }> {
    const gateway = `http://${await pods.services.addressOf("tidemark-gateway", 80)}`;
    // As the ingress controller sends it.
    const headers = { host: HOST, "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, gateway), { headers }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body: JSON.parse(body) }), reject);
      });
      sent.on("error", reject).end();
    });
  }

  it("installs the chart, with Secrets that come late, and sees its own test pass", async () => {
    const own = new Map([
      ["mysql://tidemark:password@host:3306/tidemark", databaseUrl],
      ["mysql://tidemark_owner:password@host:3306/tidemark", databaseUrl],
      ["smtp://user:password@smtp.example.com:587", `smtp://127.0.0.1:${mail.port}`],
    ]);
    const makeSecrets = async () => {
      for (const command of commandsBelow(page, "Secrets")) {
        const [[example, address] = ["", ""]] = [...own].filter(([each]) => command.includes(each));
        await script(access, command.replace(example, address));
      }
    };
    const [values = ""] = codeBlocks(sectionOf(page, "Install"), "yaml").map(({ code }) => code);
    const file = join(folder.path, "your-values.yaml");
    await writeFile(file, values.replace("…", "0123456789abcdef".repeat(4)));
    const [install = "", ...others] = commandsBelow(page, "Install");
    // Three of everything, certificates and a NATS cluster are too much for one machine.
    const here = install.replace("--values deploy/helm/tidemark/values-ha.yaml ", "");
    const installing = script(access, here.replace("your-values.yaml", `${file} --wait --wait-for-jobs --timeout 4m`));
    const secretsAfterPods = async () => {
      const assigned = () => kubectl(access, ["get", "pods", "--output=jsonpath={.items[*].spec.nodeName}"]);
      await expect.poll(async () => (await assigned()).split(" ").length, SOON).toBeGreaterThan(4);
      await makeSecrets();
    };
    await Promise.all([installing, secretsAfterPods()]);
    for (const command of others) await script(access, command);
    const deployments = await kubectl(access, ["get", "deployments", "--output=name"]);
    expect(deployments.split("\n").filter(Boolean)).toHaveLength(5);
  });

  it("invites a founder, by a Job with a token for the operator's service account", async () => {
    const uuid = await script(access, inCluster ?? "");
    expect(uuid.trim()).toMatch(UUID);
    const run = (command: string) =>
      script(access, inCluster?.replace("founder invite ann@example.com", command) ?? "");
    expect(await run("chains")).toMatch(/^NAME +KIND/);
    await expect(run("founder invite")).rejects.toMatchObject({ stdout: expect.stringContaining("EMAIL is missing") });
  });

  it("creates a sale with tokens for one's own machine, and reads its figures where everybody does", async () => {
    const read = /^curl .*$/m.exec(firstSale ?? "")?.[0] ?? "";
    const commands = `${withoutForwarding(fromOutside ?? "")}\n${firstSale?.replace(read, 'echo "$sale"')}`;
    const sale = (await script(access, commands, await forwarded())).trim().split("\n").at(-1) ?? "";
    expect(sale).toMatch(UUID);
    const [, path = ""] = /"https:\/\/sale\.example\.com(\/[^"]+)"/.exec(read) ?? [];
    const answer = await publicRead(path.replace("$sale", sale));
    expect(answer).toMatchObject({ status: 200, body: { UniqueCommitmentCount: 0 } });
    expect(await publicRead("/.well-known/jwks.json")).toMatchObject({
      status: 200,
      body: { keys: [{ use: "sig", alg: "ES256" }, { alg: "ES256" }, { alg: "RS256" }, { alg: "RS256" }] },
    });
  });

  it.each([
    ["for another service", "tidemark-operator", "tidemark.auth"],
    ["of another service account", "default", "tidemark.commitments"],
  ])("is refused with a token %s", async (_, account, audience) => {
    const commands = `export CALLER_TOKEN_DIR=$(mktemp -d)
      for service in commitments auth indexer entities; do
        kubectl create token ${account} --audience=${audience} >"$CALLER_TOKEN_DIR/tidemark.$service"
      done
      npm run tidemark --silent -- sale list`;
    await expect(script(access, commands, await forwarded())).rejects.toThrow("unauthenticated");
  });

  it("leaves no process and no object behind once it is uninstalled", async () => {
    await script(access, "helm uninstall tidemark --wait");
    await expect
      .poll(async () => (await objectsIn(api, NAMESPACE)).filter((name) => !/^Secret tidemark-/.test(name)), SOON)
      .toEqual([]);
  });
});
