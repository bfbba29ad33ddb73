import { describe, expect, it } from "vitest";
import { type CountedMessage, fill, fillCounted, type Message } from "./message.ts";

describe("a text with places", () => {
  it("takes each value as it is, once", () => {
    const message: Message<"name" | "host"> = "{name} at {host}: {name}";
    expect(fill(message, { name: "{host}", host: "$& $1" })).toBe("{host} at $& $1: {host}");
  });

  it("leaves a place that has no value", () => {
    const untyped: string = "{a} and {toString}";
    expect(fill<string>(untyped, { a: "1" })).toBe("1 and {toString}");
  });
});

describe("a text with a count", () => {
  const tries: CountedMessage = { one: "{count} try", other: "{count} tries" };
  it.each([
    [0, "en", "0 tries"],
    [1, "en", "1 try"],
    [1_234_567, "en", "1,234,567 tries"],
    [1n, "de", "1 try"],
    [12_345_678_901_234_567_890n, "de", "12.345.678.901.234.567.890 tries"],
  ])("of %s in %s is %j", (count, language, text) => {
    expect(fillCounted(tries, count, language, {})).toBe(text);
  });

  it("falls back to the general form", () => {
    expect(fillCounted({ other: "{count} of {all}" } as CountedMessage<"count" | "all">, 1, "en", { all: "9" })).toBe(
      "1 of 9",
    );
  });
});
