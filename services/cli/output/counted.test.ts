import { describe, expect, it } from "vitest";
import { counted } from "./counted.ts";

describe("a count with its noun", () => {
  it.each([
    [0n, "0 entities"],
    [1n, "1 entity"],
    [1_234n, "1,234 entities"],
  ])("of %s is %s", (count, text) => {
    expect(counted(count, "entity", "entities")).toBe(text);
  });

  it("has a noun with an s where no plural is given", () => {
    expect(counted(2n, "commitment")).toBe("2 commitments");
  });
});
