import { describe, expect, it } from "vitest";
import { Env } from "../../../common/platform/config/env.ts";
import { commitmentsConfig } from "../../../services/commitments/config.ts";
import { eventBody } from "../../../services/commitments/outbox/event-body.ts";
import { auctionDefinition, openState, saleOf } from "../../../services/commitments/testing/samples.ts";
import { newSecret, secretText, signedHeaders } from "../../../services/commitments/webhooks/webhook-secret.ts";
import { databases } from "../../support/databases/databases.ts";
import { startProcess } from "../../support/processes/child-process.ts";
import { runCliProcess } from "../../support/processes/cli.ts";
import { startCommitments } from "../../support/processes/commitments-fixture.ts";
import { serviceOf } from "../../support/processes/describe-service.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { codeBlocks, onlyCodeBlock } from "../../support/repository/markdown.ts";
import { SOON } from "../../support/repository/polling.ts";
import { readRepository } from "../../support/repository/repository.ts";
import { openedSale } from "../../support/sales/sale-messages.ts";

const document = readRepository("docs/webhooks.md");
const body = eventBody(
  { type: "sale.stage_changed", previousStage: "pre_open" },
  {
    saleUuid: saleOf(auctionDefinition).uuid,
    nowMillis: 1_769_860_800_123n,
    definition: auctionDefinition,
    state: { ...openState, stage: "commitment" },
    figures: { amount: 5_000_000n, commitments: 1n, clearingTick: 105n },
  },
);

describe("docs/webhooks.md", () => {
  it("shows an event as it is sent", () => {
    expect(JSON.parse(onlyCodeBlock(document, "json"))).toEqual(JSON.parse(body));
  });

  it("has a receiver that takes what is signed, once, and nothing else", async () => {
    const secret = newSecret();
    const port = await freePort();
    const program = await startProcess({
      command: "node",
      args: ["--input-type=module", "--eval", onlyCodeBlock(document, "js")],
      env: { WEBHOOK_SECRET: secretText(secret), PORT: String(port) },
    });
    const send = async (signedBy: Uint8Array) => {
      const request = { eventUuid: "6f1f9f0e-1111-4111-8111-111111111111", sentAtMillis: BigInt(Date.now()), body };
      const headers = signedHeaders(request, [signedBy]);
      return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body })).status;
    };
    await expect.poll(() => send(secret).catch(() => "not yet"), SOON).toBe(204);
    expect(await send(secret)).toBe(204);
    expect(await send(newSecret())).toBe(401);
    await expect.poll(() => program.output(), SOON).toBe("sale.stage_changed Auction open");
    await program.kill("SIGTERM");
  });

  describe("has commands", () => {
    const [variant] = databases();
    if (variant === undefined) throw new Error("there is no database");
    const { webhooks } = commitmentsConfig(new Env({ KEY_ENCRYPTION_KEY: Buffer.alloc(32, 3).toString("base64url") }));
    const service = serviceOf(variant.create, (database) => startCommitments(database, { webhooks }));
    const commands = codeBlocks(document, "sh").map(({ code }) => code.trim().replace("npm run tidemark -- ", ""));
    const command = (verb: string) => commands.find((text) => text.startsWith(`webhook ${verb} SALE-UUID`));
    const run = (text: string | undefined, names: Readonly<Record<string, string>>) => {
      const args = (text ?? "").split(" ").map((word) => names[word] ?? word);
      const { key } = service().credentials.operator;
      const CALLER_KEY = Buffer.from(key).toString("base64url");
      return runCliProcess(args, { COMMITMENTS_URL: service().url, CALLER_KEY });
    };

    it("that add a webhook and send again", async () => {
      const saleUuid = await openedSale(service());
      const created = await run(command("create"), { "SALE-UUID": saleUuid });
      expect(created).toMatchObject({ code: 0, errors: "" });
      expect(created.output).toMatch(/whsec_[A-Za-z0-9+/]{43}=/);
      const { endpoints } = await service().webhooks.listWebhookEndpoints({ saleUuid });
      expect(endpoints.map(({ url }) => url)).toEqual(["https://your-site.example/tidemark"]);
      const names = { "SALE-UUID": saleUuid, "ENDPOINT-UUID": endpoints[0]?.endpointUuid ?? "" };
      expect(await run(command("replay"), names)).toEqual({
        code: 0,
        output: "1 event will be sent again\n",
        errors: "",
      });
    });
  });
});
