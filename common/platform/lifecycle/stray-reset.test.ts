import { describe, expect, it } from "vitest";
import { isStrayReset } from "./stray-reset.ts";

const reset = (fields: object = {}) =>
  Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read", ...fields });

describe("isStrayReset", () => {
  it("knows a reset while reading, on Deno only", () => {
    expect(isStrayReset(reset(), true)).toBe(true);
    expect(isStrayReset(reset(), false)).toBe(false);
  });

  it.each([
    ["another error", reset({ code: "EPIPE" })],
    ["another call", reset({ syscall: "write" })],
    ["an error without a code", new Error("read ECONNRESET")],
    ["what is no error", "ECONNRESET"],
    ["nothing", null],
  ])("leaves %s to end the process", (_, error) => {
    expect(isStrayReset(error, true)).toBe(false);
  });
});
