import { describe, expect, it } from "vitest";
import { boundDeadline } from "./deadline.ts";

const limits = { defaultMs: 30_000, maxMs: 60_000 };

describe("boundDeadline", () => {
  it.each([
    ["application/proto", "connect-timeout-ms", null, "30000", 30_000],
    ["application/proto", "connect-timeout-ms", "0", "0", 0],
    ["application/json", "connect-timeout-ms", "59999", "59999", 59_999],
    ["application/json", "connect-timeout-ms", "9999999999", "60000", 60_000],
    ["application/grpc", "grpc-timeout", null, "30000m", 30_000],
    ["application/grpc", "grpc-timeout", "5S", "5S", 5_000],
    ["application/grpc+proto", "grpc-timeout", "500000u", "500000u", 500],
    ["application/grpc", "grpc-timeout", "1000000n", "1000000n", 1],
    ["application/grpc-web+proto", "grpc-timeout", "2M", "60000m", 60_000],
    ["application/grpc", "grpc-timeout", "99999999H", "60000m", 60_000],
    ["application/proto", "connect-timeout-ms", "soon", "soon", 60_000],
    ["application/grpc", "grpc-timeout", "5", "5", 60_000],
  ])("%s with %s %s becomes %s", (contentType, name, sent, written, timeoutMs) => {
    const header = new Headers({ "content-type": contentType, ...(sent === null ? {} : { [name]: sent }) });
    expect(boundDeadline(header, limits)).toBe(timeoutMs);
    expect(header.get(name)).toBe(written);
  });

  it("takes a request without a content type, as GET has none, for Connect's", () => {
    const header = new Headers();
    boundDeadline(header, limits);
    expect(header.get("connect-timeout-ms")).toBe("30000");
  });

  it("never exceeds the maximum with the default", () => {
    expect(boundDeadline(new Headers(), { defaultMs: 30_000, maxMs: 1_000 })).toBe(1_000);
  });
});
