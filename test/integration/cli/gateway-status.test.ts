import { Code, createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { GATEWAY_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { StatusService } from "../../../proto/gen/tidemark/status/v1/status_service_pb.ts";
import { runCliProcess } from "../../support/processes/cli.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { startGatewayProcess } from "../../support/processes/gateway-process.ts";

const operator = generateCallerKey().text;
const forGateways = generateCallerKey().text;
const own = generateCallerKey().text;
const RPC = "/tidemark.status.v1.StatusService/GetStatus";
const SKIPPED = ["commitments", "indexer", "auth", "entities"].flatMap((name) => ["--skip", name]);

it("status asks gateways on a port of their own, which a key of the operator opens that opens nothing else", async () => {
  const port = await freePort();
  const gateway = await startGatewayProcess({
    COMMITMENTS_URL: `http://127.0.0.1:${await freePort()}`,
    CALLER_NAME: "gateway",
    CALLER_KEY: own,
    CALLER_KEYS: `operator=${forGateways},gateway=${own}`,
    GATEWAY_RPC_PORT: String(port),
  });
  onTestFinished(async () => void (await gateway.process.kill()));
  const status = (key: string) =>
    runCliProcess(["status", ...SKIPPED], {
      GATEWAY_RPC_URL: `http://127.0.0.1:${port}`,
      CALLER_KEY: operator,
      GATEWAY_CALLER_KEY: key,
    });
  // Its commitments service isn't there.
  expect(await status(forGateways)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^wrong +gateway \S+ +not ready: .*version /m),
  });
  expect(await status(own)).toMatchObject({ code: 2, output: expect.stringContaining("unauthenticated") });
  const caller = { name: "gateway", key: Buffer.from(own, "base64url"), audience: GATEWAY_AUDIENCE };
  const transport = createRpcTransport({ baseUrl: `http://127.0.0.1:${port}`, caller, defaultTimeoutMs: 10_000 });
  const asGateway = createClient(StatusService, transport);
  await expect(asGateway.getStatus({})).rejects.toMatchObject({ code: Code.PermissionDenied });

  const call = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  expect((await fetch(`http://127.0.0.1:${port}${RPC}`, call)).status).toBe(401);
  for (const url of [gateway.url, gateway.adminUrl]) expect((await fetch(`${url}${RPC}`, call)).status).toBe(404);
});
