import { describe, expect, it } from "vitest";
import { StreamLimits } from "./stream-limits.ts";

const config = { maxStreams: 3, maxPerAddress: 2, maxBufferBytes: 1 };

describe("StreamLimits", () => {
  it("bounds streams of an address and of all", () => {
    const limits = new StreamLimits(config);
    limits.enter("a");
    limits.enter("a");
    expect(() => limits.enter("a")).toThrow(expect.objectContaining({ status: 429 }));
    limits.enter("b");
    expect(() => limits.enter("b")).toThrow(expect.objectContaining({ status: 503 }));
    limits.leave("a");
    limits.enter("c");
    expect(() => limits.enter("a")).toThrow(expect.objectContaining({ status: 503 }));
  });
});
