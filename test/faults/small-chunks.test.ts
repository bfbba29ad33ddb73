import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { startGatewayProcess } from "../support/processes/gateway-process.ts";
import { peakBytes } from "../support/processes/peak-memory.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";

const CONNECTIONS = 8;
/** A chunk of one byte takes six on the wire: 2.4 MB a connection. */
const CHUNK = "1\r\n \r\n";
const CHUNKS = 400_000;
const MOST_GROWTH_BYTES = 96 * 2 ** 20;
const UNKNOWN_SALE = "99999999-9999-4999-8999-999999999999";

const stack = new AsyncDisposableStack();
afterEach(() => stack.disposeAsync());

/** Sends a body in chunks of one byte until all are sent or the server cuts it off. @returns the status of the answer */
async function sendSmallChunks(port: number, path: string): Promise<string | undefined> {
  const socket = connect({ port, host: "127.0.0.1" });
  let answer = "";
  socket.on("data", (data) => {
    answer += data.toString("latin1");
  });
  socket.on("error", () => {});
  const closed = once(socket, "close");
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.end(`${head}${CHUNK.repeat(CHUNKS)}0\r\n\r\n`);
  await closed;
  return /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];
}

describe("bodies in chunks of one byte", () => {
  it("cost neither the gateway nor an RPC port memory, and others are answered meanwhile", async () => {
    const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
    const key = generateCallerKey();
    const service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { otherCallers: { gateway: key.text } });
    stack.defer(async () => void (await service.process.kill("SIGTERM")));
    const env = { COMMITMENTS_URL: service.url, CALLER_NAME: "gateway", CALLER_KEY: key.text };
    const gateway = await startGatewayProcess(env);
    stack.defer(async () => void (await gateway.process.kill("SIGTERM")));
    expect((await gateway.read(UNKNOWN_SALE)).status).toBe(404);
    const attacks = [
      { pid: gateway.process.pid, port: gateway.port, path: "/svc/v1/public/read-commitment-data", status: "413" },
      {
        pid: service.process.pid,
        port: Number(new URL(service.url).port),
        path: "/grpc.health.v1.Health/Check",
        status: "429",
      },
    ];
    for (const { pid, port, path, status } of attacks) {
      const before = await peakBytes(pid);
      const attacking = Promise.all(Array.from({ length: CONNECTIONS }, () => sendSmallChunks(port, path)));
      expect((await gateway.read(UNKNOWN_SALE)).status).toBe(404);
      const answers = await attacking;
      // Some may be reset before they have read it.
      for (const answer of answers) expect([status, undefined]).toContain(answer);
      expect((await peakBytes(pid)) - before).toBeLessThan(MOST_GROWTH_BYTES);
    }
    expect((await gateway.read(UNKNOWN_SALE)).status).toBe(404);
  });
});
