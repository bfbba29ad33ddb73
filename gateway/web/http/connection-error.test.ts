import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
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
    expect(counters.errors).toStrictEqual(createCounters().errors);
  });
});
