import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Nats, startNats } from "../../support/processes/nats.ts";
import { findProgram } from "../../support/processes/program.ts";

describe.skipIf(findProgram("nats-server") === undefined)("startNats (nats-server)", () => {
  let nats: Nats;

  beforeAll(async () => {
    nats = await startNats();
  });
  afterAll(() => nats.stop());

  it("offers JetStream, before and after a SIGKILL and a restart on the same port", async () => {
    expect(await serverInfo(nats.url)).toMatchObject({ jetstream: true });
    const killed = nats.pid;
    await nats.kill();
    await expect(serverInfo(nats.url)).rejects.toThrow("ECONNREFUSED");

    await nats.restart();

    expect(nats.pid).not.toBe(killed);
    expect(await serverInfo(nats.url)).toMatchObject({ jetstream: true });
  });
});

/** A NATS server greets each connection with `INFO <JSON>`. */
async function serverInfo(url: string): Promise<unknown> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  await once(socket, "connect");
  const [line] = await once(createInterface({ input: socket }), "line");
  socket.destroy();
  return JSON.parse(String(line).replace(/^INFO /, ""));
}
