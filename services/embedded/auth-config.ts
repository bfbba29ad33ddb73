import { createServer } from "node:net";
import { join } from "node:path";
import { type AuthSurfaceConfig, authSurfaceConfig } from "../../gateway/auth-config.ts";
import { type AuthConfig, authConfig } from "../auth/config.ts";
import type { Env } from "../shared/config/env.ts";
import { listen } from "../shared/listen.ts";
import type { EmbeddedConfig } from "./config.ts";
import { keptKeyEncryptionKey } from "./key-encryption-key-file.ts";

/** What is needed for sign-in; everything has a default. */
export interface EmbeddedAuthConfig {
  readonly service: AuthConfig;
  readonly surface: AuthSurfaceConfig;
  /** `AUTH_PORT`, 8083: where the auth service answers RPCs. */
  readonly port: number;
  /** Where the gateway is to listen: the issuer names it, so it must be known before. */
  readonly gatewayPort: number;
}

/** @throws ConfigError naming the variable. */
export async function embeddedAuthConfig(
  env: Env,
  { gateway, dataDir }: Pick<EmbeddedConfig, "gateway" | "dataDir">,
): Promise<EmbeddedAuthConfig> {
  const port = env.port("AUTH_PORT", 8083);
  const gatewayPort = gateway.port === 0 ? await freePort(gateway.host) : gateway.port;
  const authUrl = `http://localhost:${gatewayPort}`;
  const surface = authSurfaceConfig(env, { authUrl });
  const service = authConfig(env, {
    issuer: authUrl,
    keyEncryptionKey: () => keptKeyEncryptionKey(dataDir),
    founders: "open",
    mailFolder: join(dataDir, "mail"),
  });
  return { service, surface, port, gatewayPort };
}

async function freePort(host: string): Promise<number> {
  const server = createServer();
  const { port } = await listen(server, { host, port: 0, variable: "GATEWAY_PORT" });
  await new Promise((resolve) => server.close(resolve));
  return port;
}
