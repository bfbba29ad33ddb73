import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Code, createClient } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SALE_UUID } from "../testing/test-server.ts";
import { createRpcTransport } from "./client.ts";

const ABORTED_BODY = JSON.stringify({ code: "aborted", message: "the lease is over" });
const ABORTED_RESPONSE = `HTTP/1.1 409 Conflict\r\ncontent-type: application/json\r\ncontent-length: ${ABORTED_BODY.length}\r\n\r\n${ABORTED_BODY}`;

describe("a unary call", () => {
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  /** A client of a server that calls `answer` when a request begins to arrive. */
  async function clientOf(answer: (socket: Socket) => void) {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => answer(socket));
    }).listen(0, "127.0.0.1");
    stops.push(() => server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const transport = createRpcTransport({ baseUrl: `http://127.0.0.1:${port}`, defaultTimeoutMs: 5_000 });
    return createClient(CommitmentService, transport);
  }

  it.each<[string, (socket: Socket) => void]>([
    ["is reset", (socket) => socket.resetAndDestroy()],
    ["ends without an answer", (socket) => socket.end()],
  ])("is unavailable where its connection %s", async (_, lose) => {
    const client = await clientOf(lose);
    const call = client.applyCommitments({ saleUuid: SALE_UUID, requestId: SALE_UUID });
    await expect(call).rejects.toMatchObject({ code: Code.Unavailable, rawMessage: "the connection was lost" });
  });

  it("stays aborted where the service says so", async () => {
    const client = await clientOf((socket) => socket.end(ABORTED_RESPONSE));
    const call = client.applyCommitments({ saleUuid: SALE_UUID, requestId: SALE_UUID });
    await expect(call).rejects.toMatchObject({ code: Code.Aborted, rawMessage: "the lease is over" });
  });

  it("is repeated after a lost connection where it is free of side effects", async () => {
    let connections = 0;
    const client = await clientOf((socket) => {
      connections += 1;
      if (connections === 1) socket.resetAndDestroy();
      else socket.end(ABORTED_RESPONSE);
    });
    await expect(client.getRevisions({ saleUuids: [SALE_UUID] })).rejects.toMatchObject({ code: Code.Aborted });
    expect(connections).toBe(2);
  });
});
