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
  /** `AUTH_PORT`, 8083: where the auth service answers RPCs; never 0, as others must know it before it listens. */
  readonly port: number;
  /** Where the gateway is to listen: the issuer names it, so it must be known before. */
  readonly gatewayPort: number;
}

/** @throws ConfigError naming the variable. */
export async function embeddedAuthConfig(
  env: Env,
  { gateway, dataDir }: Pick<EmbeddedConfig, "gateway" | "dataDir">,
): Promise<EmbeddedAuthConfig> {
  const { host } = gateway;
  const port = await fixedPort(host, env.port("AUTH_PORT", 8083), "AUTH_PORT");
  const gatewayPort = await fixedPort(host, gateway.port, "GATEWAY_PORT");
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

/** The port, or a free one for 0. @param variable names it where it can't be listened on */
export async function fixedPort(host: string, port: number, variable: string): Promise<number> {
  if (port !== 0) return port;
  const server = createServer();
  const { port: free } = await listen(server, { host, port, variable });
  await new Promise((resolve) => server.close(resolve));
  return free;
}
