import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SetupState } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { PERSONA_SETTINGS, personaBody, personaSignature } from "../../services/entities/testing/persona.ts";
import { callbackBody, signedCallback, VENDOR_SETTINGS } from "../../services/entities/testing/vendor.ts";
import { CheckedAnswers } from "../../test/support/applications/checked-answers.ts";
import type { OpenApi } from "../../test/support/repository/openapi.ts";
import { SOON } from "../../test/support/repository/polling.ts";
import { type FullGateway, startFullGateway } from "../testing/auth-gateway.ts";
import { addEntity, atEntities } from "../testing/own-entities.ts";
import { exchange } from "../testing/raw-connection.ts";

const PATH = "/svc/v1/identity-callbacks";
const OPERATION = "POST:identity.Callback";
const ON = { IDENTITY_CALLBACKS: "on" };

/** A request to the route. */
interface Sent {
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

const send = ({ origin }: FullGateway, { body = "{}", headers = {}, method = "POST" }: Sent) =>
  fetch(origin + PATH, { method, headers, ...(method === "POST" && { body }) });

/** Sends a callback as a vendor does that signs by the Standard Webhooks rules. */
function standard(content: string, options?: Parameters<typeof signedCallback>[1]): Sent {
  const { webhookId, webhookTimestamp, webhookSignature, body } = signedCallback(content, options);
  const headers = {
    "content-type": "application/json",
    "webhook-id": webhookId,
    "webhook-timestamp": webhookTimestamp,
    "webhook-signature": webhookSignature,
  };
  return { body, headers };
}

/** Begins the check of somebody new. @returns the start URL, and what reads the state */
async function begin(gateway: FullGateway) {
  const email = `${randomUUID()}@example.org`;
  const { uuid: entityUuid } = await addEntity(gateway, {}, email);
  const options = await atEntities(gateway, email);
  const { entities } = gateway.entities.clients;
  const { startUrl } = await entities.beginSetup({ entityUuid }, options);
  const state = async () => (await entities.getEntity({ entityUuid }, options)).entity?.setupState;
  return { parameters: new URL(startUrl).searchParams, state };
}

describe("a vendor by the Standard Webhooks rules", () => {
  let gateway: FullGateway;
  let answers: CheckedAnswers;
  beforeAll(async () => {
    gateway = await startFullGateway({ ...VENDOR_SETTINGS, ...ON });
    const document: OpenApi = await (await fetch(`${gateway.origin}/openapi.json`)).json();
    answers = new CheckedAnswers(document);
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.entities.faults.reset());

  const check = async (sent: Sent, as?: string) => {
    const answer = await send(gateway, sent);
    const body = await answers.check(OPERATION, answer, as);
    return { status: answer.status, headers: answer.headers, body };
  };
  const body = (given: object = {}) => callbackBody({ time: { now: gateway.auth.people.context.clock } }, given);

  it("is given the URL that the log names at the start, of the public host", async () => {
    const url = `http://localhost:8080${PATH}`;
    expect(gateway.log).toContainEqual(expect.objectContaining({ level: "info", url }));
    expect(gateway.log.filter((line) => JSON.stringify(line).includes(PATH))).toHaveLength(1);
  });

  it("changes the set-up of an entity, and gets an empty answer", async () => {
    const { parameters, state } = await begin(gateway);
    const sent = standard(body({ handle: parameters.get("handle"), reference: randomUUID() }));
    expect(await check(sent)).toMatchObject({ status: 204, body: undefined });
    expect(await state()).toBe(SetupState.COMPLETE);
  });

  it("has only the headers of signatures passed on, and the body byte for byte", async () => {
    const text = ` ${body({ type: "something.else", note: "ä" })}\n`;
    const sent = standard(text);
    await check({ ...sent, headers: { ...sent.headers, authorization: "Bearer x", cookie: "a=b", "x-other": "y" } });
    const [request] = gateway.entities.faults.asked("ReportSetup");
    expect(request).toMatchObject({
      webhookId: sent.headers?.["webhook-id"],
      webhookTimestamp: sent.headers?.["webhook-timestamp"],
      webhookSignature: sent.headers?.["webhook-signature"],
      personaSignature: "",
    });
    expect(Buffer.from((request as { body: Uint8Array }).body).toString()).toBe(text);
  });

  it("is refused without the right signature, which no page can read", async () => {
    for (const sent of [{}, standard(body(), { sentAt: new Date(0) }), { ...standard(body()), body: `${body()}\n` }]) {
      const { status, headers, body: error } = await check(sent);
      expect({ status, error }).toMatchObject({ status: 401, error: { code: "unauthenticated" } });
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });

  it("reads which field is wrong, of the body and of the headers", async () => {
    const invalid = await check(standard(body({ handle: "h", state: "approved" })));
    expect(invalid).toMatchObject({ status: 400, body: { details: { violations: [{ field: "state" }] } } });
    const long = await check({ headers: { "webhook-id": "x".repeat(300) } });
    expect(long).toMatchObject({ status: 400, body: { details: { violations: [{ field: "webhook-id" }] } } });
  });

  it("gets nowhere with a body that is too large or compressed, nor with another method", async () => {
    expect(await check({ body: "x".repeat(256 * 1024 + 1) })).toMatchObject({ status: 413 });
    expect(await check({ body: "x", headers: { "content-encoding": "gzip" } })).toMatchObject({ status: 415 });
    expect(gateway.entities.faults.asked("ReportSetup")).toEqual([]);
    const get = await check({ method: "GET" }, "default");
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    const preflight = await send(gateway, { method: "OPTIONS", headers: { origin: "https://page.example" } });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([405, null]);
  });

  it.each([
    [Code.Unavailable, 503],
    [Code.DeadlineExceeded, 504],
    [Code.Internal, 500],
    // Of the gateway itself, and no signature's.
    [Code.Unauthenticated, 500],
    [Code.NotFound, 404],
  ])("is told to try again, or not, after code %s of the entities service", async (code, status) => {
    gateway.entities.faults.failures.set("ReportSetup", new ConnectError("inside", code));
    expect(await check(standard(body()))).toMatchObject({ status });
  });

  it("has sixteen callbacks under way at once from one address", async () => {
    const held = Promise.withResolvers<void>();
    gateway.entities.faults.delays.set("ReportSetup", held.promise);
    const sent = Array.from({ length: 17 }, () => send(gateway, standard(body())));
    const first = await Promise.race(sent);
    await answers.check(OPERATION, first);
    expect([first.status, first.headers.get("retry-after")]).toEqual([429, "1"]);
    held.resolve();
    expect((await Promise.all(sent)).filter(({ status }) => status === 204)).toHaveLength(16);
  });

  it("isn't kept out by bodies that broke off", async () => {
    for (let count = 0; count < 17; count += 1) {
      const headers = { "content-length": 1_000, expect: "100-continue" };
      const request = httpRequest(gateway.origin + PATH, { method: "POST", headers });
      request.on("error", () => undefined).write("{");
      // The gateway asks for the body when it begins to read.
      await once(request, "continue");
      request.destroy();
    }
    const status = async () => (await send(gateway, standard(body({ type: "something.else" })))).status;
    await expect.poll(status, SOON).toBe(204);
  });

  it("is answered at once where the form of its body breaks the rules of HTTP", async () => {
    const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answers = await exchange(Number(new URL(gateway.origin).port), `${head}no length\r\n`);
    expect(answers).toMatchObject([{ status: 400 }]);
  });

  it("was shown every documented answer", () => {
    const documented = answers.documented().filter((name) => name.startsWith(OPERATION));
    expect(
      answers
        .seen()
        .filter((name) => !name.endsWith("default"))
        .toSorted(),
    ).toEqual(documented.toSorted());
  });
});

it("Persona changes the set-up of an entity, and nobody who guesses signatures is heard on and on", async () => {
  const gateway = await startFullGateway({ ...PERSONA_SETTINGS, ...ON });
  try {
    const { parameters, state } = await begin(gateway);
    const body = personaBody({ handle: parameters.get("reference-id"), createdAtMs: Date.now() });
    const signature = { "Persona-Signature": personaSignature(body, Date.now()) };
    expect((await send(gateway, { body, headers: signature })).status).toBe(204);
    expect(await state()).toBe(SetupState.COMPLETE);
    for (let count = 0; count < 60; count += 1) expect((await send(gateway, { body })).status).toBe(401);
    expect((await send(gateway, { body })).status).toBe(429);
  } finally {
    await gateway.stop();
  }
});

it("a gateway without the setting has no such path, and doesn't document it", async () => {
  const gateway = await startFullGateway(VENDOR_SETTINGS);
  try {
    expect((await send(gateway, {})).status).toBe(404);
    expect(JSON.stringify(gateway.log)).not.toContain(PATH);
    expect(await (await fetch(`${gateway.origin}/openapi.json`)).text()).not.toContain(PATH);
  } finally {
    await gateway.stop();
  }
});
