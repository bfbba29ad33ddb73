import { existsSync } from "node:fs";
import { ConfigError, Env } from "../../common/platform/config/env.ts";
import {
  AUTH_AUDIENCE,
  COMMITMENTS_AUDIENCE,
  ENTITIES_AUDIENCE,
  GATEWAY_AUDIENCE,
  INDEXER_AUDIENCE,
} from "../../common/platform/rpc/identity/audiences.ts";
import { type CallerProof, parseCallerKey, readCallerProof } from "../../common/platform/rpc/identity/caller-keys.ts";
import { operatorKeyPath } from "../../common/platform/rpc/identity/operator-key-path.ts";
import { readRpcCa } from "../../common/platform/rpc/identity/rpc-tls.ts";

/** A service that commands call, with the identity of the caller. */
export interface ServiceAddress {
  readonly url: readonly string[];
  readonly caller: CallerProof;
  /** `RPC_CA`: the authorities that may issue its certificate. */
  readonly ca: string | undefined;
}

export interface CliConfig {
  /** `COMMITMENTS_URL`, http://127.0.0.1:8081. */
  readonly commitments: ServiceAddress;
  /** `INDEXER_URL`, http://127.0.0.1:8082. */
  readonly indexer: ServiceAddress;
  /** `AUTH_RPC_URL`, http://127.0.0.1:8083. */
  readonly auth: ServiceAddress;
  /** `ENTITIES_URL`, http://127.0.0.1:8084. */
  readonly entities: ServiceAddress;
  /** `GATEWAY_RPC_URL`: where gateways answer the operator. Undefined without it. */
  readonly gateway: ServiceAddress | undefined;
  /** `CONNECT_RETRY`, 0s: how long calls whose connection can't be opened are repeated, in milliseconds. */
  readonly connectRetryMs: number;
}

const OPERATOR = "operator";
const PROTOCOLS = { protocols: ["http:", "https:"] } as const;

/**
 * Reads the settings. The caller is that of the tokens in `CALLER_TOKEN_DIR`, or else `CALLER_NAME` (`operator` by
 * default) with `CALLER_KEY`. Without a key, it is the one that the embedded process has written to `DATA_DIR` (`data`).
 *
 * @throws ConfigError naming the variable.
 */
export function cliConfig(env: Env): CliConfig {
  const caller = callerEnv(env);
  const ca = readRpcCa(env);
  return Object.freeze({
    commitments: {
      url: env.urls("COMMITMENTS_URL", "http://127.0.0.1:8081", PROTOCOLS),
      caller: readCallerProof(caller, COMMITMENTS_AUDIENCE),
      ca,
    },
    indexer: {
      url: env.urls("INDEXER_URL", "http://127.0.0.1:8082", PROTOCOLS),
      caller: readCallerProof(caller, INDEXER_AUDIENCE),
      ca,
    },
    auth: {
      url: env.urls("AUTH_RPC_URL", "http://127.0.0.1:8083", PROTOCOLS),
      caller: readCallerProof(caller, AUTH_AUDIENCE),
      ca,
    },
    entities: {
      url: env.urls("ENTITIES_URL", "http://127.0.0.1:8084", PROTOCOLS),
      caller: readCallerProof(caller, ENTITIES_AUDIENCE),
      ca,
    },
    gateway: gatewayAddress(env, caller, ca),
    connectRetryMs: env.duration("CONNECT_RETRY", { default: "0s", min: "0s", max: "50s" }),
  });
}

function gatewayAddress(env: Env, caller: Env, ca: string | undefined): ServiceAddress | undefined {
  const url = env.optionalUrls("GATEWAY_RPC_URL", PROTOCOLS);
  return url && { url, caller: gatewayCaller(env, caller), ca };
}

/** Returns the proof for gateways. They face the Internet, so none of them may hold the key that opens everything. */
function gatewayCaller(env: Env, caller: Env): CallerProof {
  const key = env.optionalSecret("GATEWAY_CALLER_KEY");
  if (key === undefined && caller.isSet("CALLER_TOKEN_DIR")) return readCallerProof(caller, GATEWAY_AUDIENCE);
  if (key !== undefined && key !== caller.optionalSecret("CALLER_KEY")) {
    return { name: OPERATOR, key: parseCallerKey("GATEWAY_CALLER_KEY", key), audience: GATEWAY_AUDIENCE };
  }
  throw new ConfigError("GATEWAY_CALLER_KEY", "expected a key that opens gateways only, another one than CALLER_KEY");
}

function callerEnv(env: Env): Env {
  if (env.optionalString("CALLER_TOKEN_DIR") !== undefined) return env;
  const name = { CALLER_NAME: env.optionalString("CALLER_NAME") ?? OPERATOR };
  const key = env.optionalSecret("CALLER_KEY");
  if (key !== undefined) return new Env({ ...name, CALLER_KEY: key });
  const path = operatorKeyPath(env.string("DATA_DIR", "data"));
  if (existsSync(path)) return new Env({ ...name, CALLER_KEY_FILE: path });
  throw new ConfigError("CALLER_KEY", `expected a key, or a running npm start: there is no ${JSON.stringify(path)}`);
}
