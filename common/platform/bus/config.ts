import { checkDependentSettings } from "../config/dependent-settings.ts";
import { ConfigError, type Env } from "../config/env.ts";

export type NatsCredentials =
  | { readonly kind: "creds"; readonly creds: string }
  | { readonly kind: "password"; readonly user: string; readonly password: string }
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "none" };

/** The stream of events on NATS JetStream. */
export interface StreamConfig {
  /** `NATS_STREAM_MAX_BYTES`, 1 GiB by default. Beyond it the oldest events are deleted. */
  readonly maxBytes: number;
  /** `NATS_STREAM_MAX_AGE`, 24 h by default, in milliseconds. Older events are deleted. */
  readonly maxAgeMs: number;
  /** `NATS_STREAM_REPLICAS`, 1 by default. */
  readonly replicas: number;
}

export interface NatsConfig {
  /** `NATS_URL`: servers of one cluster, each `host:port`. */
  readonly servers: readonly string[];
  /** Whether a URL asks for TLS, or `NATS_CA` is set. */
  readonly tls: boolean;
  /** `NATS_CA`: certificates (PEM) of the authorities to trust. Those of the runtime by default. */
  readonly ca?: string;
  readonly credentials: NatsCredentials;
  readonly stream: StreamConfig;
}

const DEPENDENT_SETTINGS = [
  "NATS_CA",
  "NATS_CREDS",
  "NATS_USER",
  "NATS_PASSWORD",
  "NATS_TOKEN",
  "NATS_STREAM_MAX_BYTES",
  "NATS_STREAM_MAX_AGE",
  "NATS_STREAM_REPLICAS",
];
/** The number of servers that `NATS_URL` may name, at most. */
const MAX_SERVERS = 16;

/** Reads the configuration. Undefined if `NATS_URL` isn't set. @throws ConfigError naming the variable */
export function natsConfig(env: Env): NatsConfig | undefined {
  const urls = env.optionalString("NATS_URL");
  checkDependentSettings(env, "NATS_URL", DEPENDENT_SETTINGS);
  if (urls === undefined) return undefined;
  const servers = urls.split(",").map(serverOf);
  if (servers.length > MAX_SERVERS) throw new ConfigError("NATS_URL", `expected at most ${MAX_SERVERS} servers`);
  const ca = env.optionalString("NATS_CA");
  return Object.freeze({
    servers: servers.map(({ host }) => host),
    tls: ca !== undefined || servers.some(({ tls }) => tls),
    ...(ca === undefined ? {} : { ca }),
    credentials: credentials(env),
    stream: {
      maxBytes: env.bytes("NATS_STREAM_MAX_BYTES", { default: "1GiB", min: "1MiB", max: "1024GiB" }),
      maxAgeMs: env.duration("NATS_STREAM_MAX_AGE", { default: "24h", min: "10m", max: "8760h" }),
      replicas: env.integer("NATS_STREAM_REPLICAS", { default: 1, min: 1, max: 5 }),
    },
  });
}

function serverOf(text: string): { readonly host: string; readonly tls: boolean } {
  const url = URL.parse(text.trim());
  if (url === null || !["nats:", "tls:"].includes(url.protocol) || url.hostname === "") {
    throw new ConfigError("NATS_URL", "expected nats://host:port or tls://host:port, several separated by commas");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigError("NATS_URL", "expected no credentials in it: set NATS_USER and NATS_PASSWORD, or NATS_TOKEN");
  }
  return { host: `${url.hostname}:${url.port || "4222"}`, tls: url.protocol === "tls:" };
}

function credentials(env: Env): NatsCredentials {
  const creds = env.optionalSecret("NATS_CREDS");
  const user = env.optionalString("NATS_USER");
  const password = env.optionalSecret("NATS_PASSWORD");
  const token = env.optionalSecret("NATS_TOKEN");
  if ([creds, user, token].filter((kind) => kind !== undefined).length > 1) {
    throw new ConfigError("NATS_CREDS", "expected only one of NATS_CREDS, NATS_USER and NATS_TOKEN");
  }
  if ((user === undefined) !== (password === undefined)) {
    throw new ConfigError("NATS_PASSWORD", "expected NATS_USER and NATS_PASSWORD together");
  }
  if (creds !== undefined) return { kind: "creds", creds };
  if (user !== undefined && password !== undefined) return { kind: "password", user, password };
  return token === undefined ? { kind: "none" } : { kind: "token", token };
}
