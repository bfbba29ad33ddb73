import { createRouterTransport } from "@connectrpc/connect";
import { expect, it } from "vitest";
import type { RpcTransportOptions } from "../../common/platform/rpc/client/client.ts";
import { createClients } from "./clients.ts";
import type { ServiceAddress } from "./config.ts";

const addressOf = (port: number): ServiceAddress => ({
  url: [`http://127.0.0.1:${port}/`],
  caller: { name: "operator", key: new Uint8Array(32), audience: "tidemark.test" },
  ca: undefined,
});

it("all calls are repeated as long as CONNECT_RETRY says, those to each process too", async () => {
  const created: RpcTransportOptions[] = [];
  const config = {
    commitments: addressOf(8081),
    indexer: addressOf(8082),
    auth: addressOf(8083),
    entities: addressOf(8084),
    gateway: addressOf(8085),
    connectRetryMs: 15_000,
  };
  const clients = createClients(config, (options) => {
    created.push(options);
    return createRouterTransport(() => {});
  });
  const processes = await clients.processes();
  expect(processes.map(({ url }) => url)).toEqual(
    [8081, 8082, 8083, 8084, 8085].map((port) => `http://127.0.0.1:${port}/`),
  );
  expect(created.map(({ connectRetryMs }) => connectRetryMs)).toEqual(Array.from({ length: 9 }, () => 15_000));
  expect(clients.connectRetryMs).toBe(15_000);
});
