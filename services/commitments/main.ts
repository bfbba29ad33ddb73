import { startAdminServer } from "../shared/admin-server.ts";
import { ConfigError, Env } from "../shared/config/env.ts";
import { Lifecycle } from "../shared/lifecycle.ts";
import { createLogger, logLevel } from "../shared/log.ts";
import { createMetrics } from "../shared/metrics.ts";
import { readCallerKeys } from "../shared/rpc/callers.ts";
import { runMain } from "../shared/run-main.ts";
import { startCommitmentsService } from "./commitments-service.ts";
import { commitmentsConfig } from "./config.ts";
import { migrateStore, openStore } from "./open-store.ts";

const SERVICE = "commitments";

runMain(SERVICE, async () => {
  const env = new Env(process.env);
  await (process.argv.includes("--migrate") ? migrate(env) : serve(env));
});

/** `--migrate`: brings the schema up to date and ends. */
async function migrate(env: Env): Promise<void> {
  const logger = createLogger({ service: SERVICE, level: logLevel(env) });
  const database = openStore(commitmentsConfig(env).store);
  try {
    logger.info({ migrations: await migrateStore(database) }, "schema is up to date");
  } finally {
    await database.close();
  }
}

async function serve(env: Env): Promise<void> {
  const config = commitmentsConfig(env);
  const host = env.string("HOST", "127.0.0.1");
  const port = env.port("COMMITMENTS_PORT", 8081);
  const adminPort = env.port("ADMIN_PORT", 9090);
  const callerKeys = readCallerKeys(env);
  if (callerKeys === undefined) throw new ConfigError("CALLER_KEYS", "expected name=key of each caller");
  const drainDelayMs = env.duration("DRAIN_DELAY", { default: "0ms", min: "0ms", max: "60s" });
  const logger = createLogger({ service: SERVICE, level: logLevel(env) });
  const lifecycle = new Lifecycle({ logger, drainDelayMs });
  const registry = createMetrics({ service: SERVICE });
  const admin = await startAdminServer({ host, port: adminPort, lifecycle, registry, logger });
  lifecycle.onStop("admin http", () => admin.close());
  const server = await startCommitmentsService({ config, host, port, callerKeys, lifecycle, registry, logger });
  lifecycle.installSignalHandlers();
  lifecycle.markReady();
  logger.info({ host, port: server.port, adminPort: admin.port }, "commitments service listens");
}
