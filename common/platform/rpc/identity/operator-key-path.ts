import { join } from "node:path";

/** The file in which the embedded process keeps the operator's key for the CLI, while it runs. */
export function operatorKeyPath(dataDir: string): string {
  return join(dataDir, "operator.key");
}
