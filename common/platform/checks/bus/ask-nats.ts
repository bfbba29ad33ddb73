import { connect, ErrorCode, Events, headers, millis, type NatsConnection, NatsError } from "nats";
import type { NatsConfig } from "../../bus/config.ts";
import { connectionOptions, findStream, INBOX_PREFIX } from "../../bus/nats-connection.ts";
import { about, failed, ok, type ProbeFinding } from "../finding.ts";
import { type FoundStream, type NatsRefusal, type NatsUse, rightsFindings, streamFindings } from "./judge-nats.ts";

/**
 * The beginning of subjects for answers that the server keeps for itself. It refuses a message with one after it has decided on the
 * right to publish, so a publish with it asks for the right, and nobody gets anything.
 */
const RESERVED_REPLY = "_R_.tidemark-check";
/** The token that stands for any one in a subject. No sale has it. */
const ANY_SALE = "00000000-0000-0000-0000-000000000000";

/** Connects, tries all that the process will do so that it has no effect, and returns what it found. @param signal ends it */
export async function askNats(config: NatsConfig, use: NatsUse, signal: AbortSignal): Promise<readonly ProbeFinding[]> {
  const connection = await open(config);
  const close = () => void connection.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    return await findingsOf(connection, config, use);
  } finally {
    await connection.close();
  }
}

const REFUSED: readonly string[] = [
  ErrorCode.AuthorizationViolation,
  ErrorCode.AuthenticationExpired,
  ErrorCode.BadCreds,
];

/** @throws Error with the reason in words */
async function open(config: NatsConfig): Promise<NatsConnection> {
  const once = { reconnect: false, ignoreAuthErrorAbort: false, maxReconnectAttempts: 0 };
  try {
    return await connect({ ...connectionOptions({ config, name: "tidemark-check" }), ...once });
  } catch (error) {
    if (!(error instanceof NatsError)) throw error;
    if (REFUSED.includes(error.code)) {
      throw new Error(`the server refuses the credentials: check ${credentialSettings(config)}`, { cause: error });
    }
    throw error.chainedError ?? error;
  }
}

function credentialSettings({ credentials }: NatsConfig): string {
  switch (credentials.kind) {
    case "creds":
      return "NATS_CREDS";
    case "password":
      return "NATS_USER and NATS_PASSWORD";
    case "token":
      return "NATS_TOKEN";
    case "none":
      return "whether it wants NATS_USER and NATS_PASSWORD, NATS_TOKEN or NATS_CREDS: none is set";
  }
}

async function findingsOf(
  connection: NatsConnection,
  config: NatsConfig,
  use: NatsUse,
): Promise<readonly ProbeFinding[]> {
  const { version = "unknown", jetstream } = connection.info ?? {};
  const reached = ok(`answers, version ${version}`);
  if (use.keepsStream && jetstream !== true) {
    return [reached, failed("the server has no JetStream", "start it with JetStream (nats-server --jetstream)")];
  }
  const refusals = await refusedOperations(connection, use);
  const rights = about("NATS rights", rightsFindings(refusals));
  const mayAskStream = !refusals.some(({ subject }) => subject === infoSubject(use));
  if (!use.keepsStream || !mayAskStream) return [reached, ...rights];
  const stream = streamFindings(await readStream(connection, use), use.stream, config.stream);
  return [reached, ...rights, ...about("NATS stream", stream)];
}

function infoSubject({ stream }: NatsUse): string {
  return `$JS.API.STREAM.INFO.${stream.name}`;
}

/** Tries every operation so that it has no effect. @returns those that the server refuses for want of a right */
async function refusedOperations(connection: NatsConnection, use: NatsUse): Promise<readonly NatsRefusal[]> {
  const { stream, keepsStream } = use;
  const api = ["INFO", "CREATE", "UPDATE"].map((call) => `$JS.API.STREAM.${call}.${stream.name}`);
  const publishes = [...use.publishes, ...(keepsStream ? api : [])].map((subject) => subject.replaceAll("*", ANY_SALE));
  const refusals: NatsRefusal[] = [];
  const following = (async () => {
    for await (const { type, permissionContext } of connection.status()) {
      // The refusal of the reserved reply has no context.
      if (type === Events.Error && permissionContext !== undefined) refusals.push(permissionContext);
    }
  })();
  // Answers of the stream's API come to the inbox.
  const subscribes = [...use.subscribes, ...(keepsStream ? [`${INBOX_PREFIX}.>`] : [])];
  for (const subject of subscribes) connection.subscribe(subject, { max: 1, callback: () => {} });
  for (const subject of publishes)
    connection.publish(subject, undefined, { reply: RESERVED_REPLY, headers: unstored() });
  await connection.flush();
  // The server sends refusals before the answer to the flush, and the client passes them on at its next tick.
  await new Promise((resolve) => setImmediate(resolve));
  void following;
  return refusals;
}

/** A server that took the message all the same keeps it in no stream. */
function unstored() {
  const all = headers();
  all.set("Nats-Expected-Stream", "none");
  return all;
}

async function readStream(connection: NatsConnection, { stream }: NatsUse): Promise<FoundStream | undefined> {
  const manager = await connection.jetstreamManager({ timeout: 5_000, checkAPI: false });
  const info = await findStream(manager, stream.name);
  if (info === undefined) return undefined;
  const { subjects, max_bytes, max_age, num_replicas } = info.config;
  return { subjects, maxBytes: max_bytes, maxAgeMs: millis(max_age), replicas: num_replicas };
}
