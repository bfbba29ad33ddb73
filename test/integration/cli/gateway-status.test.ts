import { expect, it, onTestFinished } from "vitest";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { runCliProcess } from "../../support/processes/cli.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { startGatewayProcess } from "../../support/processes/gateway-process.ts";

const operator = generateCallerKey().text;
const own = generateCallerKey().text;
const RPC = "/tidemark.status.v1.StatusService/GetStatus";
const SKIPPED = ["commitments", "indexer", "auth", "entities"].flatMap((name) => ["--skip", name]);

it("status asks gateways on a port of their own, which only the operator's key opens", async () => {
  const port = await freePort();
  const gateway = await startGatewayProcess({
    COMMITMENTS_URL: `http://127.0.0.1:${await freePort()}`,
    CALLER_NAME: "gateway",
    CALLER_KEY: own,
    CALLER_KEYS: `operator=${operator},gateway=${own}`,
    GATEWAY_RPC_PORT: String(port),
  });
  onTestFinished(async () => void (await gateway.process.kill()));
  const status = (name: string, key: string) =>
    runCliProcess(["status", ...SKIPPED], {
      GATEWAY_RPC_URL: `http://127.0.0.1:${port}`,
      CALLER_NAME: name,
      CALLER_KEY: key,
    });
  // Its commitments service isn't there.
  expect(await status("operator", operator)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^wrong +gateway \S+ +not ready: .*version /m),
  });
  const refused = { code: 2, output: expect.stringContaining("permission_denied: caller gateway may not call") };
  expect(await status("gateway", own)).toMatchObject(refused);
  expect(await status("operator", own)).toMatchObject({ code: 2, output: expect.stringContaining("unauthenticated") });

  const call = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
  expect((await fetch(`http://127.0.0.1:${port}${RPC}`, call)).status).toBe(401);
  for (const url of [gateway.url, gateway.adminUrl]) expect((await fetch(`${url}${RPC}`, call)).status).toBe(404);
});
