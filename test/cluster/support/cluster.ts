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

/** A control plane at 127.0.0.1: etcd, API server and controllers, without any node. */
export interface Cluster {
  readonly access: ClusterAccess;
  stop(): Promise<void>;
}

/** Starts the control plane on free ports; ready in about ten seconds. */
export async function startCluster(): Promise<Cluster> {
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
    const port = await freePort();
    const access = {
      url: `https://127.0.0.1:${port}`,
      caFile: join(folder.path, "apiserver.crt"),
      token: randomBytes(24).toString("base64url"),
      kubeconfig: join(folder.path, "kubeconfig"),
    };
    await writeKeys(folder.path, access);
    const apiServer = await start("kube-apiserver", apiServerFlags(folder.path, etcdUrl, port));
    await untilReady(access, apiServer);
    await start("kube-controller-manager", controllerFlags(folder.path, access));
    return { access, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function server(name: "etcd" | "kube-apiserver" | "kube-controller-manager", flags: Flags, ready?: RegExp) {
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  return { command: clusterProgram(name), args, ...(ready !== undefined && { ready }) };
}

type Flags = Readonly<Record<string, string | number | boolean>>;

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

/** It makes its own certificate in the folder, for 127.0.0.1 and for `kubernetes.default.svc`. */
function apiServerFlags(folder: string, etcdUrl: string, port: number): Flags {
  return {
    "etcd-servers": etcdUrl,
    "bind-address": "127.0.0.1",
    "advertise-address": "127.0.0.1",
    "secure-port": port,
    "cert-dir": folder,
    "endpoint-reconciler-type": "none",
    "service-cluster-ip-range": "10.96.0.0/16",
    "service-account-issuer": ISSUER,
    "service-account-key-file": join(folder, "service-accounts.pub"),
    "service-account-signing-key-file": join(folder, "service-accounts.key"),
    "token-auth-file": join(folder, "tokens.csv"),
    "authorization-mode": "RBAC",
  };
}

function controllerFlags(folder: string, { kubeconfig, caFile }: ClusterAccess): Flags {
  return {
    kubeconfig,
    controllers: CONTROLLERS.join(","),
    "root-ca-file": caFile,
    "cert-dir": folder,
    "secure-port": 0,
    "leader-elect": false,
    "kube-api-qps": 500,
    "kube-api-burst": 1000,
  };
}

async function writeKeys(folder: string, { url, caFile, token, kubeconfig }: ClusterAccess): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  await writeFile(join(folder, "service-accounts.key"), privateKey.export({ type: "pkcs8", format: "pem" }));
  await writeFile(join(folder, "service-accounts.pub"), publicKey.export({ type: "spki", format: "pem" }));
  await writeFile(join(folder, "tokens.csv"), `${token},admin,admin,system:masters\n`);
  const configuration = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster: { server: url, "certificate-authority": caFile } }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "admin" } }],
    "current-context": "test",
  };
  await writeFile(kubeconfig, JSON.stringify(configuration));
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
