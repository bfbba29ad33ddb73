import { type ConnectionOptions, credsAuthenticator, type JetStreamManager, NatsError, type StreamInfo } from "nats";
import type { NatsConfig, NatsCredentials } from "./config.ts";

/** The time for an answer of the server. */
export const CALL_TIMEOUT_MS = 2_000;
/** The wait between two tries to connect. */
export const RECONNECT_WAIT_MS = 500;
/** A server that answers no ping for twice as long counts as disconnected. */
const PING_INTERVAL_MS = 5_000;
const STREAM_NOT_FOUND = "404";
/** A prefix of our own for the subjects of answers, so that the account needs no permission for those of others. */
export const INBOX_PREFIX = "_INBOX.tidemark";

/** @returns undefined if there is no stream of this name. @throws Error if the server doesn't answer or refuses */
export async function findStream(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  return manager.streams.info(name).catch((error: unknown) => {
    if (error instanceof NatsError && error.code === STREAM_NOT_FOUND) return undefined;
    throw error;
  });
}

/** @param name of the process at the server */
export function connectionOptions({
  config,
  name,
}: {
  readonly config: NatsConfig;
  readonly name: string;
}): ConnectionOptions {
  return {
    servers: [...config.servers],
    name,
    inboxPrefix: INBOX_PREFIX,
    timeout: CALL_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    // While a certificate or password is being changed it is refused only for a time.
    ignoreAuthErrorAbort: true,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
    // Otherwise the client captures two stack traces for each event.
    noAsyncTraces: true,
    ...(config.tls ? { tls: config.ca === undefined ? {} : { ca: config.ca } } : {}),
    ...authentication(config.credentials),
  };
}

function authentication(credentials: NatsCredentials): ConnectionOptions {
  switch (credentials.kind) {
    case "creds":
      return { authenticator: credsAuthenticator(new TextEncoder().encode(credentials.creds)) };
    case "password":
      return { user: credentials.user, pass: credentials.password };
    case "token":
      return { token: credentials.token };
    case "none":
      return {};
  }
}
