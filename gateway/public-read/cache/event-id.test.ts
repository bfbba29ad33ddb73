import { describe, expect, it } from "vitest";
import { formatEventId, parseEventId } from "./event-id.ts";

describe("event IDs", () => {
  it.each([
    ["000000000000000a-0", { generation: 10n, revision: 0n, correction: 0 }],
    ["ffffffffffffffff-18446744073709551615", { generation: 2n ** 64n - 1n, revision: 2n ** 64n - 1n, correction: 0 }],
    ["000000000000000a-7-12", { generation: 10n, revision: 7n, correction: 12 }],
  ])("write %s", (text, id) => {
    expect(formatEventId(id)).toBe(text);
    expect(parseEventId(text)).toEqual(id);
  });

  it.each([
    "",
    "1-1",
    "000000000000000A-1",
    "000000000000000a-01",
    "000000000000000a-",
    "000000000000000a-1 ",
    "000000000000000a-1-0",
    "000000000000000a-1-01",
    "000000000000000a-1-",
    "x".repeat(99),
  ])("don't read %j", (text) => expect(parseEventId(text)).toBeUndefined());
});
