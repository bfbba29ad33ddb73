import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "nats";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  COMMITMENTS_STREAM,
  OUTBOX_SIGNAL,
  SALE_UPDATED_SUBJECTS,
  saleUpdatedSubject,
} from "../../../common/internal-api/commitment-subjects.ts";
import { type NatsConfig, natsConfig } from "../../../common/platform/bus/config.ts";
import { matchesSubject } from "../../../common/platform/bus/local-bus.ts";
import { NatsBus } from "../../../common/platform/bus/nats-bus.ts";
import { Env } from "../../../common/platform/config/env.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { type Nats, startNats } from "../../support/processes/nats.ts";
import { NatsOperator, type NatsRights } from "../../support/processes/nats-operator.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { selfSignedCertificate } from "../../support/processes/tls-certificate.ts";
import { codeSpans, tableRows } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";

const WAIT = { timeout: 120_000, interval: 50 };
const SUBJECT = saleUpdatedSubject("11111111-1111-4111-8111-111111111111");
const EVERYTHING: NatsRights = { publish: [">"], subscribe: [">"] };

/** Rights of the two users, as docs/operating.md gives them. */
const [serviceRights, gatewayRights] = [documentedRights("commitments service"), documentedRights("gateway")];

function documentedRights(account: string): NatsRights {
  const row = tableRows(readRepository("docs/operating.md"), "account of").find(([name]) => name === account);
  return { publish: codeSpans(row?.[1] ?? ""), subscribe: codeSpans(row?.[2] ?? "") };
}

type Log = ReturnType<typeof captureLog>["lines"];

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

async function start(configuration: string): Promise<Nats> {
  return stack.adopt(await startNats(configuration), (server) => server.stop());
}

/** A bus that listens to all subjects, with its log. */
function open(variables: Record<string, string>): { bus: NatsBus; log: Log; received: string[] } {
  const { logger, lines } = captureLog();
  const config = natsConfig(new Env({ NATS_STREAM_MAX_BYTES: "16MiB", ...variables })) as NatsConfig;
  const bus = stack.adopt(new NatsBus({ config, stream: COMMITMENTS_STREAM, name: "test", logger }), (opened) =>
    opened.close(AbortSignal.timeout(2_000)),
  );
  const received: string[] = [];
  for (const subject of [SALE_UPDATED_SUBJECTS, OUTBOX_SIGNAL]) {
    bus.listen(subject, { event: (event) => received.push(event.subject), gap: () => {} });
  }
  return { bus, log: lines, received };
}

function publish(bus: NatsBus): Promise<void> {
  return bus.publish({ subject: SUBJECT, id: randomUUID(), payload: new Uint8Array() });
}

/** An event is kept; on a slow machine not at the first try. @returns the ID of the store. */
function keep(bus: NatsBus): Promise<string> {
  return vi.waitFor(async () => {
    const storeId = await bus.storeId();
    await publish(bus);
    return storeId;
  }, WAIT);
}

async function connected(bus: NatsBus): Promise<void> {
  await vi.waitFor(() => expect(bus.isConnected()).toBe(true), WAIT);
}

/** Operations that NATS has refused, from the log. */
function refused(log: Log): (readonly [operation: string, subject: string])[] {
  const lines = log.filter(({ msg }) => msg === "NATS refused an operation of this process");
  return lines.map(({ operation, subject }) => [String(operation), String(subject)] as const);
}

describe("the rights of docs/operating.md", () => {
  function users(rights: Readonly<Record<string, NatsRights>>): string {
    const list = (subjects: readonly string[]) =>
      subjects.length === 0 ? '{ deny: ">" }' : `{ allow: ${JSON.stringify(subjects)} }`;
    const entries = Object.entries(rights).map(
      ([user, { publish, subscribe }]) =>
        `{ user: ${user}, password: secret, permissions: { publish: ${list(publish)}, subscribe: ${list(subscribe)} } }`,
    );
    return `authorization: { users: [${entries.join(",")}] }`;
  }

  const as = (nats: Nats, user: string, variables: Record<string, string> = {}) =>
    open({ NATS_URL: nats.url, NATS_USER: user, NATS_PASSWORD: "secret", ...variables });

  /** Does all that a commitments service does, a stream that is gone and other limits included. */
  async function doEverything(nats: Nats, user: string): Promise<void> {
    const { bus, log, received } = as(nats, user);
    await connected(bus);
    const storeId = await keep(bus);
    bus.signal(OUTBOX_SIGNAL);
    await vi.waitFor(() => expect(new Set(received)).toEqual(new Set([SUBJECT, OUTBOX_SIGNAL])), WAIT);
    await deleteStream(nats);
    expect(await keep(bus)).not.toBe(storeId);
    const other = as(nats, user, { NATS_STREAM_MAX_BYTES: "17MiB" });
    await connected(other.bus);
    await keep(other.bus);
    expect(refused([...log, ...other.log])).toEqual([]);
    expect(other.log.filter(({ msg }) => String(msg).includes("limits"))).toEqual([]);
  }

  async function deleteStream({ url }: Nats): Promise<void> {
    const connection = await connect({ servers: url, user: "admin", pass: "secret" });
    await (await connection.jetstreamManager()).streams.delete(COMMITMENTS_STREAM.name);
    await connection.close();
  }

  it("let a commitments service do all that it does", async () => {
    const nats = await start(users({ admin: EVERYTHING, service: serviceRights }));
    await doEverything(nats, "service");
  });

  it.each(
    (["publish", "subscribe"] as const).flatMap((kind) =>
      serviceRights[kind].map((subject) => [kind, subject] as const),
    ),
  )("are needed: without %s %s something fails, and the log says what", async (kind, subject) => {
    const less = { ...serviceRights, [kind]: serviceRights[kind].filter((right) => right !== subject) };
    const nats = await start(users({ admin: EVERYTHING, service: serviceRights, less }));
    // The stream exists with limits that must change, except in the case in which it must be created.
    if (!subject.includes("CREATE")) {
      const { bus } = as(nats, "service", { NATS_STREAM_MAX_BYTES: "15MiB" });
      await connected(bus);
      await keep(bus);
    }
    const { bus, log } = as(nats, "less");
    await connected(bus);
    const isAnswered = !/INFO|CREATE|_INBOX/.test(subject) && !(kind === "publish" && subject.endsWith(".updated"));
    if (isAnswered) await keep(bus);
    else await expect(bus.storeId().then(() => publish(bus))).rejects.toThrow();
    bus.signal(OUTBOX_SIGNAL);
    const operation = kind === "publish" ? "publish" : "subscription";
    await vi.waitFor(() => {
      const named = refused(log).filter(
        ([what, refusedSubject]) => what === operation && matchesSubject(subject, refusedSubject),
      );
      expect(named).not.toEqual([]);
    }, WAIT);
    if (subject.includes("UPDATE.")) {
      expect(log.map(({ msg }) => msg)).toContain("the stream's limits can't be changed");
    }
  });

  it("let a gateway receive updates, and do nothing else", async () => {
    expect(gatewayRights.publish).toEqual([]);
    const nats = await start(
      users({
        admin: EVERYTHING,
        service: serviceRights,
        gateway: gatewayRights,
        none: { publish: [], subscribe: [] },
      }),
    );
    const [service, gateway, none] = [as(nats, "service"), as(nats, "gateway"), as(nats, "none")];
    for (const { bus } of [service, gateway, none]) await connected(bus);
    await vi.waitFor(async () => {
      await keep(service.bus);
      expect(gateway.received).toContain(SUBJECT);
    }, WAIT);
    await expect(
      gateway.bus.publish({ subject: SUBJECT, id: randomUUID(), payload: new Uint8Array() }),
    ).rejects.toThrow();
    await vi.waitFor(() => expect(refused(none.log)).toContainEqual(["subscription", SALE_UPDATED_SUBJECTS]), WAIT);
    // Once it is allowed to, it listens, without a restart of its own.
    await nats.configure(users({ admin: EVERYTHING, service: serviceRights, none: gatewayRights }));
    await vi.waitFor(async () => {
      await publish(service.bus);
      expect(none.received).toContain(SUBJECT);
    }, WAIT);
  });
});

describe("credentials", () => {
  const text = (name: string) => `test-${name}-${"x".repeat(20)}`;

  interface Kind {
    readonly right: string;
    readonly wrong: string;
    readonly variables: (url: string) => Record<string, string>;
    readonly reason: RegExp;
  }

  const kinds: Readonly<Record<string, () => Promise<Kind>>> = {
    "user and password": async () => ({
      right: `authorization: { user: tidemark, password: ${text("right")} }`,
      wrong: `authorization: { user: tidemark, password: ${text("other")} }`,
      variables: (url) => ({ NATS_URL: url, NATS_USER: "tidemark", NATS_PASSWORD: text("right") }),
      reason: /authorization/i,
    }),
    "a token": async () => ({
      right: `authorization: { token: ${text("right")} }`,
      wrong: `authorization: { token: ${text("other")} }`,
      variables: (url) => ({ NATS_URL: url, NATS_TOKEN: text("right") }),
      reason: /authorization/i,
    }),
    "a .creds file": async () => {
      const [operator, other] = [new NatsOperator(), new NatsOperator()];
      return {
        right: operator.configuration,
        wrong: other.configuration,
        variables: (url) => ({ NATS_URL: url, NATS_CREDS: operator.credentials(serviceRights) }),
        reason: /authorization/i,
      };
    },
    "TLS and an authority": async () => {
      const [right, wrong] = await Promise.all([tlsConfiguration(), tlsConfiguration()]);
      return {
        right: right.configuration,
        wrong: wrong.configuration,
        variables: (url) => ({ NATS_URL: url.replace("nats://127.0.0.1", "tls://localhost"), NATS_CA: right.ca }),
        // On Deno either of the two is met first.
        reason: "Deno" in globalThis ? /certificate|CONNECTION_REFUSED/i : /certificate/i,
      };
    },
  };

  function kindOf(name: string): Promise<Kind> {
    const kind = kinds[name];
    if (kind === undefined) throw new Error(`there are no credentials of the kind ${name}`);
    return kind();
  }

  async function tlsConfiguration(): Promise<{ configuration: string; ca: string }> {
    const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
    const { cert, key } = await selfSignedCertificate("localhost");
    await writeFile(join(folder.path, "cert.pem"), cert);
    await writeFile(join(folder.path, "key.pem"), key, { mode: 0o600 });
    const files = `cert_file: "${join(folder.path, "cert.pem")}", key_file: "${join(folder.path, "key.pem")}"`;
    return { configuration: `tls: { ${files} }`, ca: cert };
  }

  it.each(Object.keys(kinds))("by %s: wrong ones are logged and tried again until they are right", async (name) => {
    const { right, wrong, variables, reason } = await kindOf(name);
    const nats = await start(wrong);
    const { bus, log, received } = open(variables(nats.url));
    const failure = () => log.find(({ msg }) => msg === "NATS can't be reached");
    await vi.waitFor(() => expect(JSON.stringify(failure()?.["err"])).toMatch(reason), WAIT);
    expect(bus.isConnected()).toBe(false);
    await expect(bus.storeId()).rejects.toThrow("NATS isn't connected");
    await nats.configure(right);
    await connected(bus);
    await keep(bus);
    await vi.waitFor(() => expect(received).toContain(SUBJECT), WAIT);
    expect(log.filter(({ msg }) => msg === "NATS can't be reached")).toHaveLength(1);
    expect(JSON.stringify(log)).not.toContain(text("right"));
  });

  it("that are taken back end what was connected, with the reason, until they are given again", async () => {
    const { right, wrong, variables } = await kindOf("user and password");
    const nats = await start(right);
    const { bus, log } = open(variables(nats.url));
    await connected(bus);
    await nats.configure(wrong);
    await vi.waitFor(() => expect(log.map(({ reason }) => reason)).toContain("AUTHORIZATION_VIOLATION"), WAIT);
    expect(bus.isConnected()).toBe(false);
    await nats.configure(right);
    await connected(bus);
    await keep(bus);
  });
});
