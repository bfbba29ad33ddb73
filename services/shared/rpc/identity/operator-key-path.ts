import { join } from "node:path";

/** Where the embedded process leaves the operator's key for the operator's command, while it runs. */
export function operatorKeyPath(dataDir: string): string {
  return join(dataDir, "operator.key");
}
