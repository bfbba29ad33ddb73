import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import type { CallerCredentials } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { type RunningProcess, startService } from "./child-process.ts";

const CALL_TIMEOUT_MS = 60_000;

export interface CallerKey {
  readonly key: Uint8Array;
  readonly text: string;
}

/** A service in its own process. */
export interface ServiceProcess {
  readonly process: RunningProcess;
  readonly url: string;
  readonly adminPort: number;
  /** The URL of its admin server, with the metrics. */
  readonly adminUrl: string;
}

export interface ServiceProcessOptions {
  readonly name: "auth" | "entities";
  /** The settings; ports are free ones unless these name them. */
  readonly env: Readonly<Record<string, string>>;
  /** Keys of its callers by name. */
  readonly keys: Readonly<Record<string, CallerKey>>;
  /** The folder of another version of the repository. */
  readonly root: string | undefined;
}

/** Starts `services/NAME/main.ts`. */
export async function startServiceProcess({ name, env, keys, root }: ServiceProcessOptions): Promise<ServiceProcess> {
  const ready = new RegExp(`^\\{.*"msg":"${name} service listens".*$`);
  const callerKeys = Object.entries(keys).map(([caller, { text }]) => `${caller}=${text}`);
  const process = await startService({
    main: `services/${name}/main.ts`,
    cwd: root,
    env: {
      [`${name.toUpperCase()}_PORT`]: "0",
      ADMIN_PORT: "0",
      CALLER_NAME: name,
      CALLER_KEYS: callerKeys.join(","),
      ...env,
    },
    ready,
  });
  const [line] = await process.waitForLine(ready);
  const { port, adminPort } = JSON.parse(line);
  return { process, url: `http://127.0.0.1:${port}`, adminPort, adminUrl: `http://127.0.0.1:${adminPort}` };
}

/** Returns a transport to a service for one of its callers. */
export function transportOf({ url }: Pick<ServiceProcess, "url">, caller: CallerCredentials): Transport {
  return createRpcTransport({ baseUrl: url, caller, defaultTimeoutMs: CALL_TIMEOUT_MS });
}

/** RPC clients by name. */
export type ClientsOf<Services extends Readonly<Record<string, DescService>>> = {
  readonly [Name in keyof Services]: Client<Services[Name]>;
};

export function clientsOf<Services extends Readonly<Record<string, DescService>>>(
  services: Services,
  transport: Transport,
): ClientsOf<Services> {
  const clients = Object.entries(services).map(([name, service]) => [name, createClient(service, transport)]);
  return Object.fromEntries(clients);
}
