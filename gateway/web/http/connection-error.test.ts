import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SALE } from "../../testing/fake-commitments.ts";
import { type RunningGateway, runGateway } from "../../testing/gateway-parts.ts";
import { exchange } from "../../testing/raw-connection.ts";
import { answerConnectionError } from "./connection-error.ts";
import { createCounters } from "./counters.ts";

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

describe("answerConnectionError", () => {
  it.each([
    ["HPE_INVALID_METHOD", 400, "invalid_argument"],
    ["HPE_HEADER_OVERFLOW", 431, "invalid_argument"],
    ["ERR_HTTP_REQUEST_TIMEOUT", 408, "deadline_exceeded"],
  ] as const)("answers %s by %i and counts it once", async (error, status, code) => {
    const socket = new PassThrough();
    const counters = createCounters();
    for (let i = 0; i < 2; i++) answerConnectionError(failure(error), socket, counters);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} .*"code":"${code}"`, "s"));
    expect(counters.errors).toStrictEqual({ ...createCounters().errors, [code]: 1 });
  });

  it("counts nothing where nobody is left to answer", () => {
    const socket = new PassThrough().destroy();
    const counters = createCounters();
    answerConnectionError(failure("ECONNRESET"), socket, counters);
    expect(counters).toStrictEqual(createCounters());
  });
});

const SALE_PATH = `/svc/v1/public/sales/${SALE}/commitment-data`;
const READ = `POST /svc/v1/public/read-commitment-data HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2`;
const NEXT = `GET ${SALE_PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

type Case = [name: string, bytes: string, status: number];

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runGateway();
});

afterAll(() => gateway.server.close(AbortSignal.abort()));

const NO_HOST: Case = ["no Host", `${READ}\r\n\r\n{}`, 400];
const EXPECTATION: Case = ["an unknown expectation", `${READ}\r\nHost: x\r\nExpect: more\r\n\r\n{}`, 417];

describe("a request that HTTP itself forbids", () => {
  it.each([NO_HOST, EXPECTATION])(
    "by %s is answered in the shape of all errors, counted, and its connection goes on",
    async (_, bytes, status) => {
      const before = gateway.counters.errors.invalid_argument;
      const [answer, next] = await exchange(gateway.server.port, bytes + NEXT);
      expect(answer?.status).toBe(status);
      expect(JSON.parse(answer?.body ?? "")).toMatchObject({ code: "invalid_argument", details: {} });
      expect(answer?.headers.get("access-control-allow-origin")).toBe("*");
      expect(gateway.counters.errors.invalid_argument).toBe(before + 1);
      expect(next?.status).toBe(200);
    },
  );

  it("isn't one of HTTP/1.0 without Host", async () => {
    const answers = await exchange(gateway.server.port, `GET ${SALE_PATH} HTTP/1.0\r\n\r\n`);
    expect(answers).toMatchObject([{ status: 200 }]);
  });
});
