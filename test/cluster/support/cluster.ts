import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type RunningProcess, startProcess } from "../../support/processes/child-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { POLL_TIMEOUT_MS } from "../../support/repository/polling.ts";
import { type ClusterAccess, KubeApi } from "./api.ts";
import { clusterProgram } from "./programs.ts";

/** Issuer of the tokens of service accounts: the one that the chart expects by default. */
const ISSUER = "https://kubernetes.default.svc.cluster.local";

/** The controllers that the chart's objects need. Endpoints are left out, as no pod has an address of its own. */
const CONTROLLERS = [
  "cronjob-controller",
  "deployment-controller",
  "disruption-controller",
  "garbage-collector-controller",
  "job-controller",
  "namespace-controller",
  "replicaset-controller",
  "root-ca-certificate-publisher-controller",
  "serviceaccount-controller",
];

/** A control plane: etcd, API server and controllers. */
export interface Cluster {
  readonly access: ClusterAccess;
  /** File for kubectl and other clients by each user of the options. */
  readonly kubeconfigs: ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

/** Address of a control plane, and what it serves. */
export interface ClusterOptions {
  /** Where the API server listens; etcd stays at 127.0.0.1. */
  readonly address: string;
  /** A free one by default. */
  readonly port?: number;
  readonly controllers: readonly string[];
  /** Users with tokens of their own, and the groups that they are in. */
  readonly users: Readonly<Record<string, string>>;
  readonly apiServer: Flags;
  readonly controllerManager: Flags;
}

const WITHOUT_NODES: ClusterOptions = {
  address: "127.0.0.1",
  controllers: CONTROLLERS,
  users: {},
  apiServer: { "endpoint-reconciler-type": "none", "authorization-mode": "RBAC" },
  controllerManager: {},
};

/** Starts the control plane on free ports; ready in about ten seconds. By default it has no node. */
export async function startCluster(options: ClusterOptions = WITHOUT_NODES): Promise<Cluster> {
  const folder = await temporaryFolder();
  const started: RunningProcess[] = [];
  const start = async (...[command, args, ready]: Parameters<typeof server>) => {
    const running = await startProcess(server(command, args, ready));
    started.push(running);
    return running;
  };
  const stop = async () => {
    await Promise.all(started.map((running) => running.kill()));
    await folder.remove();
  };
  try {
    const etcdUrl = `http://127.0.0.1:${await freePort()}`;
    await start("etcd", etcdFlags(folder.path, etcdUrl, await freePort()), /ready to serve client requests/);
    const port = options.port ?? (await freePort());
    const access = {
      url: `https://${options.address}:${port}`,
      caFile: join(folder.path, "apiserver.crt"),
      token: randomBytes(24).toString("base64url"),
      kubeconfig: join(folder.path, "kubeconfig"),
    };
    const kubeconfigs = await writeKeys(folder.path, access, options.users);
    const apiServer = await start("kube-apiserver", apiServerFlags(folder.path, etcdUrl, port, options));
    await untilReady(access, apiServer);
    await start("kube-controller-manager", controllerFlags(folder.path, access, options));
    return { access, kubeconfigs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function server(name: "etcd" | "kube-apiserver" | "kube-controller-manager", flags: Flags, ready?: RegExp) {
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  return { command: clusterProgram(name), args, ...(ready !== undefined && { ready }) };
}

export type Flags = Readonly<Record<string, string | number | boolean>>;

function etcdFlags(folder: string, url: string, peerPort: number): Flags {
  const peer = `http://127.0.0.1:${peerPort}`;
  return {
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": url,
    "advertise-client-urls": url,
    "listen-peer-urls": peer,
    "initial-advertise-peer-urls": peer,
    "initial-cluster": `default=${peer}`,
    "unsafe-no-fsync": true,
  };
}

/** It makes its own certificate in the folder, for its address and for `kubernetes.default.svc`. */
function apiServerFlags(folder: string, etcdUrl: string, port: number, options: ClusterOptions): Flags {
  return {
    "etcd-servers": etcdUrl,
    "bind-address": options.address,
    "advertise-address": options.address,
    "secure-port": port,
    "cert-dir": folder,
    "service-cluster-ip-range": "10.96.0.0/16",
    "service-account-issuer": ISSUER,
    "service-account-key-file": join(folder, "service-accounts.pub"),
    "service-account-signing-key-file": join(folder, "service-accounts.key"),
    "token-auth-file": join(folder, "tokens.csv"),
    ...options.apiServer,
  };
}

function controllerFlags(folder: string, { kubeconfig, caFile }: ClusterAccess, options: ClusterOptions): Flags {
  return {
    kubeconfig,
    controllers: options.controllers.join(","),
    "root-ca-file": caFile,
    "cert-dir": folder,
    "secure-port": 0,
    "leader-elect": false,
    "kube-api-qps": 500,
    "kube-api-burst": 1000,
    ...options.controllerManager,
  };
}

/** Returns the file of each user. */
async function writeKeys(
  folder: string,
  access: ClusterAccess,
  users: ClusterOptions["users"],
): Promise<ReadonlyMap<string, string>> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  await writeFile(join(folder, "service-accounts.key"), privateKey.export({ type: "pkcs8", format: "pem" }));
  await writeFile(join(folder, "service-accounts.pub"), publicKey.export({ type: "spki", format: "pem" }));
  const lines = [`${access.token},admin,admin,system:masters`];
  const kubeconfigs = new Map<string, string>();
  for (const [user, group] of Object.entries(users)) {
    const token = randomBytes(24).toString("base64url");
    lines.push(`${token},${user},${user},${group}`);
    const file = join(folder, `${user.replaceAll(":", "-")}.kubeconfig`);
    await writeFile(file, JSON.stringify(configurationFor(access, token)));
    kubeconfigs.set(user, file);
  }
  await writeFile(join(folder, "tokens.csv"), `${lines.join("\n")}\n`);
  await writeFile(access.kubeconfig, JSON.stringify(configurationFor(access, access.token)));
  return kubeconfigs;
}

function configurationFor({ url, caFile }: ClusterAccess, token: string) {
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster: { server: url, "certificate-authority": caFile } }],
    users: [{ name: "user", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "user" } }],
    "current-context": "test",
  };
}

/** @throws Error with its output where it ends or takes too long */
async function untilReady(access: ClusterAccess, apiServer: RunningProcess): Promise<void> {
  const deadline = AbortSignal.timeout(POLL_TIMEOUT_MS);
  let ended = false;
  void apiServer.exited.then(() => {
    ended = true;
  });
  while (!(await isReady(access))) {
    if (ended || deadline.aborted) throw new Error(`the API server isn't ready:\n${apiServer.output()}`);
    await delay(100);
  }
}

async function isReady(access: ClusterAccess): Promise<boolean> {
  if (!existsSync(access.caFile)) return false;
  const api = new KubeApi(access);
  try {
    return (await api.status("/readyz")) === 200;
  } catch {
    return false;
  } finally {
    api.close();
  }
}
