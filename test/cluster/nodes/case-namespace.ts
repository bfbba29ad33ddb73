import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { RunningProcess } from "../../support/processes/child-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { type ClusterAccess, KubeApi } from "../support/api.ts";
import { script, startScript } from "../support/commands.ts";
import { accessIn } from "../support/namespace-access.ts";
import { createRestrictedNamespace } from "../support/namespaces.ts";

/** A namespace of one case, under Pod Security's profile "restricted". */
export class CaseNamespace {
  readonly name: string;
  readonly api: KubeApi;
  /** An administrator's, whose commands are for the namespace. */
  readonly access: ClusterAccess;
  readonly folder: TemporaryFolder;

  private constructor(name: string, access: ClusterAccess, folder: TemporaryFolder) {
    this.name = name;
    this.access = access;
    this.folder = folder;
    this.api = new KubeApi(access);
  }

  static async create(nodes: ClusterAccess, name: string): Promise<CaseNamespace> {
    const folder = await temporaryFolder();
    const namespace = new CaseNamespace(name, await accessIn(nodes, name, folder.path), folder);
    await createRestrictedNamespace(namespace.api, name);
    return namespace;
  }

  /** Output of a script of bash with kubectl and helm for this namespace. @throws Error with what its pods say, if it fails */
  async run(text: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    try {
      return await script(this.access, text, env);
    } catch (error) {
      const why =
        "kubectl get pods --output=wide; kubectl get events | tail -n 30; kubectl logs --all-containers --tail=20";
      const state = await script(this.access, `${why} --selector app.kubernetes.io/name=tidemark --prefix || true`);
      throw new Error(`${error instanceof Error ? error.message : error}\n${state}`, { cause: error });
    }
  }

  /** Starts a command of kubectl, and waits for a line of its output. */
  start(command: string, ready: RegExp): Promise<RunningProcess> {
    return startScript(this.access, `exec ${command}`, ready);
  }

  /** A volume of a node, for one claim that names no storage class. */
  async createVolume(node: string): Promise<void> {
    const path = join(this.folder.path, "volume");
    await mkdir(path);
    const isNode = { matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [node] }] };
    await this.api.create("/api/v1/persistentvolumes", {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: this.name },
      spec: {
        capacity: { storage: "5Gi" },
        accessModes: ["ReadWriteOnce"],
        local: { path },
        nodeAffinity: { required: { nodeSelectorTerms: [isNode] } },
      },
    });
  }

  close(): void {
    this.api.close();
  }
}
