import { connect } from "nats";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  COMMITMENTS_STREAM,
  SALE_UPDATED_SUBJECTS,
  saleUpdatedSubject,
} from "../../../common/internal-api/commitment-subjects.ts";
import { type NatsConfig, natsConfig } from "../../../common/platform/bus/config.ts";
import { NatsBus } from "../../../common/platform/bus/nats-bus.ts";
import { Env } from "../../../common/platform/config/env.ts";
import { type Nats, startNats } from "../../support/processes/nats.ts";
import { SOON } from "../../support/repository/polling.ts";

const SUBJECT = saleUpdatedSubject("11111111-1111-4111-8111-111111111111");

describe("the bus on NATS", () => {
  let nats: Nats;
  const opened: NatsBus[] = [];
  beforeAll(async () => {
    nats = await startNats();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((bus) => bus.close(AbortSignal.timeout(20_000))));
  });
  afterAll(() => nats?.stop());

  function open(): NatsBus {
    const config = natsConfig(new Env({ NATS_URL: nats.url, NATS_STREAM_MAX_BYTES: "16MiB" })) as NatsConfig;
    const bus = new NatsBus({ config, stream: COMMITMENTS_STREAM, name: "test", logger: pino({ level: "silent" }) });
    opened.push(bus);
    return bus;
  }

  async function connected(): Promise<NatsBus> {
    const bus = open();
    await vi.waitFor(() => expect(bus.isConnected()).toBe(true), SOON);
    return bus;
  }

  async function kept(): Promise<string[]> {
    const connection = await connect({ servers: nats.url });
    const manager = await connection.jetstreamManager();
    const { state } = await manager.streams.info("TIDEMARK_COMMITMENTS");
    const texts: string[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
      texts.push((await manager.streams.getMessage("TIDEMARK_COMMITMENTS", { seq })).string());
    }
    await connection.close();
    return texts;
  }

  const event = (text: string) => ({ subject: SUBJECT, id: text, payload: new TextEncoder().encode(text) });

  it("stores each event once and delivers them in order", async () => {
    const [bus, other] = [await connected(), await connected()];
    const received: string[] = [];
    other.listen(SALE_UPDATED_SUBJECTS, {
      event: ({ payload }) => received.push(new TextDecoder().decode(payload)),
      gap: () => {},
    });
    // Settled once the server has the subscription: an answer of it comes after.
    expect(await other.storeId()).toBe(await bus.storeId());
    await bus.publish(event("one"));
    await bus.publish(event("two"));
    await bus.publish(event("one"));
    await vi.waitFor(() => expect(received).toHaveLength(3), SOON);
    expect(received.slice(0, 2)).toEqual(["one", "two"]);
    expect(await kept()).toEqual(["one", "two"]);
  });

  it("tells a loss once after a purge, also where another event came before the next look", async () => {
    const bus = await connected();
    await bus.storeId();
    for (const text of ["kept 1", "kept 2"]) await bus.publish(event(text));
    await bus.findStore();
    expect(bus.takeLoss()).toBe(false);
    const connection = await connect({ servers: nats.url });
    await (await connection.jetstreamManager()).streams.purge("TIDEMARK_COMMITMENTS");
    await connection.close();
    await bus.publish(event("after the purge"));
    await bus.findStore();
    expect(bus.takeLoss()).toBe(true);
    for (const text of ["kept 1", "kept 2"]) await bus.publish(event(text));
    await bus.findStore();
    await bus.findStore();
    expect(bus.takeLoss()).toBe(false);
    expect(await kept()).toEqual(["after the purge", "kept 1", "kept 2"]);
  });

  it("rejects an event that no stream stores", async () => {
    const bus = await connected();
    await bus.storeId();
    await expect(bus.publish({ ...event("1"), subject: "elsewhere" })).rejects.toThrow();
  });

  it("signals to other processes outside of the stream", async () => {
    const [bus, other] = [await connected(), await connected()];
    const signals: string[] = [];
    const end = other.listen("tidemark.signal.test", { event: ({ subject }) => signals.push(subject), gap: () => {} });
    await other.storeId();
    const before = await kept();
    bus.signal("tidemark.signal.test");
    await vi.waitFor(() => expect(signals).toEqual(["tidemark.signal.test"]), SOON);
    end();
    expect(await kept()).toEqual(before);
  });

  it("reports a gap, and goes on, after the server was away; a new store has another ID", async () => {
    const bus = await connected();
    const received: string[] = [];
    bus.listen(SALE_UPDATED_SUBJECTS, { event: () => received.push("event"), gap: () => received.push("gap") });
    const storeId = await bus.storeId();
    await nats.kill();
    await vi.waitFor(() => expect(bus.isConnected()).toBe(false), SOON);
    await expect(bus.publish(event("lost"))).rejects.toThrow("NATS isn't connected");
    await nats.restart();
    await vi.waitFor(() => expect(received).toContain("gap"), SOON);
    expect(await bus.storeId()).toBe(storeId);
    await bus.publish(event("back"));
    await vi.waitFor(() => expect(received.at(-1)).toBe("event"), SOON);
    await deleteStream(nats);
    await expect(bus.publish(event("nowhere"))).rejects.toThrow();
    expect(await bus.storeId()).not.toBe(storeId);
    await bus.publish(event("anew"));
    expect(await kept()).toEqual(["anew"]);
  });

  it("connects to a server that comes later", async () => {
    await nats.kill();
    const bus = open();
    await expect(bus.storeId()).rejects.toThrow("NATS isn't connected");
    await nats.restart();
    await vi.waitFor(() => expect(bus.isConnected()).toBe(true), SOON);
  });
});

async function deleteStream({ url }: Nats): Promise<void> {
  const connection = await connect({ servers: url });
  await (await connection.jetstreamManager()).streams.delete("TIDEMARK_COMMITMENTS");
  await connection.close();
}
