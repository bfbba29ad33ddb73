import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { type FullGateway, startFullGateway } from "../../../gateway/testing/auth-gateway.ts";
import { addEntity, atEntities } from "../../../gateway/testing/own-entities.ts";
import { type Entity, SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { ensureSaleEntity } from "../../../services/entities/entities/sale-entities-store.ts";
import { livenessUrl } from "../../../services/entities/setup/liveness.ts";
import { hasLiveness } from "../../../services/entities/setup/liveness-store.ts";
import { OTHER_PERSONA_SECRET, PERSONA_SECRET, PERSONA_SETTINGS } from "../../../services/entities/testing/persona.ts";
import { VENDOR_SETTINGS } from "../../../services/entities/testing/vendor.ts";
import { startProcess } from "../../support/processes/child-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { onlyCodeBlock } from "../../support/repository/markdown.ts";
import { SOON } from "../../support/repository/polling.ts";
import { readRepository } from "../../support/repository/repository.ts";

const TRANSLATOR = onlyCodeBlock(readRepository("docs/entities.md"), "js");
const VERIFF_SECRET = "veriff-secret";

async function gatewayWith(settings: Readonly<Record<string, string>>) {
  const gateway = await startFullGateway({ ...settings, IDENTITY_CALLBACKS: "on" });
  onTestFinished(() => gateway.stop());
  return { gateway, callbackUrl: `${gateway.origin}/svc/v1/identity-callbacks` };
}

/** Expects that a gateway has logged no fault; a failure names all of them. */
function expectNoFaults({ log }: FullGateway): void {
  const faults = log.filter(({ level }) => level === "error");
  expect(faults, faults.map((fault) => JSON.stringify(fault)).join("\n")).toEqual([]);
}

/** Adds an entity of somebody new. */
async function newcomer(gateway: FullGateway) {
  const email = `${randomUUID()}@example.org`;
  const own = await addEntity(gateway, {}, email);
  const { entities } = gateway.entities.clients;
  const options = await atEntities(gateway, email);
  const read = async (): Promise<Entity | undefined> =>
    (await entities.getEntity({ entityUuid: own.uuid }, options)).entity;
  const startUrl = async () => (await entities.beginSetup({ entityUuid: own.uuid }, options)).startUrl;
  return { own, email, read, startUrl };
}

describe("a process that plays Persona", () => {
  it("approves and declines people, with events twice and in the wrong order, while its secret is replaced", async () => {
    const port = await freePort();
    const startUrl = new URL(PERSONA_SETTINGS.IDENTITY_START_URL);
    const settings = (decision: string) => ({
      ...PERSONA_SETTINGS,
      IDENTITY_START_URL: `http://localhost:${port}/inquiry${startUrl.search}&decision=${decision}`,
    });
    for (const [decision, state] of [
      ["approved", SetupState.COMPLETE],
      ["declined", SetupState.FAILURE_FINAL],
    ] as const) {
      const { gateway, callbackUrl } = await gatewayWith(settings(decision));
      const vendor = await startProcess({
        command: "node",
        args: ["test/support/processes/persona-process.ts"],
        env: { PORT: String(port), CALLBACK_URL: callbackUrl, SECRETS: `${OTHER_PERSONA_SECRET},${PERSONA_SECRET}` },
        ready: /vendor listens/,
      });
      const { read, startUrl: begin } = await newcomer(gateway);
      const page = await fetch(await begin());
      await vendor.kill("SIGTERM");
      // What the gateway says of a fault explains a status that is wrong.
      expectNoFaults(gateway);
      expect([await page.text(), vendor.output().match(/ \d+$/gm)]).toEqual(["done", Array(8).fill(" 204")]);
      expect((await read())?.setupState).toBe(state);
    }
  });
});

describe("the translator of docs/entities.md", () => {
  /** Plays Veriff's API. @returns its address, and the sessions that were created */
  async function startVeriff() {
    const sessions: { readonly key: string; readonly vendorData: string }[] = [];
    const server = createServer(async (request: IncomingMessage, response) => {
      const { verification } = JSON.parse(await text(request));
      sessions.push({ key: String(request.headers["x-auth-client"]), vendorData: verification.vendorData });
      response.writeHead(201, { "content-type": "application/json" });
      response.end(JSON.stringify({ status: "success", verification: { url: "https://alchemy.veriff.example/v/1" } }));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sessions };
  }

  it("begins checks by an authenticated call, and turns decisions into callbacks", async () => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const { gateway, callbackUrl } = await gatewayWith({ ...VENDOR_SETTINGS, IDENTITY_START_URL: `${origin}/start` });
    const veriff = await startVeriff();
    const translator = await startProcess({
      command: "node",
      args: ["--input-type=module", "--eval", TRANSLATOR],
      env: {
        VERIFF_URL: veriff.url,
        VERIFF_KEY: "key",
        VERIFF_SECRET,
        IDENTITY_WEBHOOK_SECRET: VENDOR_SETTINGS.IDENTITY_WEBHOOK_SECRET,
        CALLBACK_URL: callbackUrl,
        PORT: String(port),
      },
    });
    const open = (url: string) => fetch(url, { redirect: "manual" });
    await expect.poll(() => open(origin).then(({ status }) => status, String), SOON).toBe(403);
    /** Sends a decision as Veriff does. */
    const decide = async (verification: object, secret = VERIFF_SECRET) => {
      const body = JSON.stringify({ status: "success", verification: { attemptId: randomUUID(), ...verification } });
      const signature = createHmac("sha256", secret).update(body).digest("hex");
      const headers = { "content-type": "application/json", "x-hmac-signature": signature };
      return (await fetch(origin, { method: "POST", headers, body })).status;
    };

    const { own, email, read, startUrl } = await newcomer(gateway);
    const url = await startUrl();
    const page = await open(url);
    expect([page.status, page.headers.get("location")]).toEqual([303, "https://alchemy.veriff.example/v/1"]);
    expect((await open(url.replace("type=person", "type=organization"))).status).toBe(403);
    const handle = new URL(url).searchParams.get("handle");
    expect(veriff.sessions).toEqual([{ key: "key", vendorData: `setup.${handle}` }]);

    const approved = {
      status: "approved",
      vendorData: `setup.${handle}`,
      decisionTime: new Date().toISOString(),
      document: { number: "C01X0006H", country: "DE", type: "PASSPORT" },
    };
    expect(await decide(approved, "another")).toBe(401);
    expect((await read())?.setupState).toBe(SetupState.IN_PROGRESS);
    expect(await decide({ ...approved, document: { ...approved.document, country: "Germany" } })).toBe(502);
    expectNoFaults(gateway);
    for (const missing of ["number", "country", "type"]) {
      expect(await decide({ ...approved, document: { ...approved.document, [missing]: null } })).toBe(422);
    }
    expect(await decide({ ...approved, document: undefined })).toBe(422);
    // The approval for `Germany` has ended the check; the same one with a code of a country still counts.
    expect((await read())?.setupState).toBe(SetupState.TECHNICAL_ISSUE);
    expect(await decide(approved)).toBe(204);
    expect(await read()).toMatchObject({ setupState: SetupState.COMPLETE, country: "DE" });

    const { context } = gateway.entities;
    const saleUuid = randomUUID();
    const ids = await ensureSaleEntity(context, saleUuid, own, email);
    const presence = new URL(await livenessUrl(context, saleUuid, own, ids)).searchParams.get("handle");
    expect(await decide({ ...approved, status: "declined", vendorData: `liveness.${presence}` })).toBe(204);
    const isProved = () => context.database.read((query) => hasLiveness(query, saleUuid, own.uuid));
    expect(await isProved()).toBe(false);
    expect(await decide({ ...approved, vendorData: `liveness.${presence}` })).toBe(204);
    expect(await isProved()).toBe(true);

    const later = new Date(Date.now() + 1_000).toISOString();
    expect(await decide({ ...approved, status: "declined", decisionTime: later, reason: "Forged" })).toBe(204);
    expect(await read()).toMatchObject({ setupState: SetupState.FAILURE_FINAL, setupReason: "Forged" });
    await translator.kill("SIGTERM");
  });
});
