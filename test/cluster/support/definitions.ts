import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { requireProgram } from "../../support/processes/program.ts";
import { until } from "../../support/repository/polling.ts";
import type { ClusterAccess } from "./api.ts";
import { kubectl } from "./commands.ts";
import { DEFINITIONS } from "./definition-modules.ts";

/** Installs the definitions of other operators' objects. Go loads the modules into its own cache, checked by its checksum database. */
export async function installDefinitions(access: ClusterAccess): Promise<void> {
  for (const [module, ...files] of DEFINITIONS) {
    const folder = await moduleFolder(module);
    await kubectl(access, ["create", ...files.flatMap((file) => ["--filename", join(folder, file)])]);
  }
  // kubectl fails for a definition that has no condition yet.
  const waiting = ["wait", "--for=condition=Established", "--timeout=60s", "crd", "--all"];
  await until(() => kubectl(access, waiting).then(Boolean, () => false));
}

async function moduleFolder(module: string): Promise<string> {
  const { stdout } = await promisify(execFile)(requireProgram("go"), ["mod", "download", "-json", module]);
  return JSON.parse(stdout).Dir;
}
