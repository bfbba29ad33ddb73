import { startProcess } from "./child-process.ts";

/**
 * Fills `NODE_COMPILE_CACHE`, by which a service's start takes half as long. The services of tests are mostly killed, and
 * a killed process writes nothing; this one loads all modules and ends by itself, as its port is no number.
 */
export default async function setup(): Promise<void> {
  if (process.versions["deno"] !== undefined) return;
  const args = ["services/embedded.ts"];
  const loaded = await startProcess({ command: process.execPath, args, env: { GATEWAY_PORT: "none" } });
  await loaded.exited;
}
