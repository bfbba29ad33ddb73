import { randomUUID } from "node:crypto";
import { connect, type NatsConnection } from "nats";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { JetStreamPublisher } from "../../../services/shared/bus/jetstream-publisher.ts";
import { type Nats, startNats } from "../../support/nats.ts";
import { POLL_TIMEOUT_MS } from "../../support/polling.ts";

describe("publishing to JetStream", () => {
  let nats: Nats;
  let connection: NatsConnection;
  let subject: string;
  const stream = "KEPT";

  beforeAll(async () => {
    nats = await startNats();
    connection = await connect({ servers: nats.url });
    const manager = await connection.jetstreamManager();
    await manager.streams.add({ name: stream, subjects: ["kept.>"] });
  });
  beforeEach(() => {
    subject = `kept.${randomUUID()}`;
  });
  afterAll(async () => {
    await connection?.close();
    await nats?.stop();
  });

  const publisher = (options: { readonly stream?: string; readonly timeoutMs?: number } = {}) =>
    new JetStreamPublisher(connection, { stream, inboxPrefix: "_INBOX.test", timeoutMs: POLL_TIMEOUT_MS, ...options });

  const message = (id: string, headers: Readonly<Record<string, string>> = {}) => ({
    subject,
    id: `${subject} ${id}`,
    payload: Buffer.from(id),
    headers,
  });

  async function kept(): Promise<readonly string[]> {
    const manager = await connection.jetstreamManager();
    const { state } = await manager.streams.info(stream);
    const texts: string[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const stored = await manager.streams.getMessage(stream, { seq });
      if (stored.subject === subject) texts.push(`${stored.string()} ${stored.header.get("traceparent")}`);
    }
    return texts;
  }

  it("is done when the stream has kept a message, each ID once, with its headers", async () => {
    const own = publisher();
    await own.publish(message("1", { traceparent: "trace" }));
    await Promise.all(["2", "3", "1"].map((id) => own.publish(message(id))));
    expect(await kept()).toEqual(["1 trace", "2 ", "3 "]);
  });

  it("fails with what the stream answers", async () => {
    await expect(publisher({ stream: "OTHER" }).publish(message("1"))).rejects.toThrow(
      "expected stream does not match",
    );
    expect(await kept()).toEqual([]);
  });

  it("fails at once where no stream takes the subject", async () => {
    subject = "nowhere";
    await expect(publisher().publish(message("1"))).rejects.toThrow("no stream takes it (status 503)");
  });

  it("fails where no answer comes in time, or one that is none", async () => {
    subject = `elsewhere.${randomUUID()}`;
    const listening = connection.subscribe(subject, { callback: () => {} });
    await expect(publisher({ timeoutMs: 10 }).publish(message("1"))).rejects.toThrow("no answer in time");
    listening.unsubscribe();
    for (const answer of ["{}", '{"stream":""}', '{"stream":"OTHER","seq":1}', "no JSON"]) {
      const answering = connection.subscribe(subject, { max: 1, callback: (_, asked) => asked.respond(answer) });
      await expect(publisher().publish(message("2"))).rejects.toThrow();
      answering.unsubscribe();
    }
  });

  it("fails at once what is on its way of a subject, or at all", async () => {
    const own = publisher();
    const listening = connection.subscribe("silent.*", { callback: () => {} });
    const waiting = ["silent.one", "silent.two"].map((name) => own.publish({ ...message("1"), subject: name }));
    const settled = Promise.allSettled(waiting);
    own.fail(new Error("not allowed"), "silent.one");
    own.fail(new Error("the connection is gone"));
    expect(await settled).toMatchObject([
      { reason: { message: "not allowed" } },
      { reason: { message: "the connection is gone" } },
    ]);
    listening.unsubscribe();
  });
});
