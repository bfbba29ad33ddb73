import { describe, expect, it } from "vitest";
import { pageSize, pageStart, readPage, tokenOf } from "./page-token.ts";

const UUID = "11111111-1111-4111-8111-1111111111fb";
const UUID_HEX = UUID.replaceAll("-", "");
const token = tokenOf(UUID);

describe("page tokens", () => {
  it("0 means a page of 100", () => {
    expect([pageSize(0), pageSize(1), pageSize(500)]).toEqual([100, 1, 500]);
  });

  it("begin at the start without a token", () => {
    expect(pageStart("", 32)).toBe("");
  });

  it("go on after the key that they were made of", () => {
    expect(pageStart(token, 32)).toBe(UUID_HEX);
  });

  it.each([
    ["a key of another length", Buffer.from("00ff", "hex").toString("base64url")],
    ["text that is no base64url", "!".repeat(22)],
    ["the key itself", UUID_HEX],
    ["padding", `${token}==`],
    ["white space", `${token} `],
    ["bits beyond the key", `${token.slice(0, -1)}_`],
  ])("refuse %s, naming the field", (_, wrong) => {
    expect(() => pageStart(wrong, 32)).toThrow(
      expect.objectContaining({
        code: "invalid_argument",
        violations: [expect.objectContaining({ field: "page_token", rule: "page_token.unknown" })],
      }),
    );
  });
});

describe("a page that is read", () => {
  const pageOf = (listed: readonly string[], requested: number) =>
    readPage(requested, async (limit) => listed.slice(0, limit), tokenOf);

  it("has the token of what follows its last item", async () => {
    expect(await pageOf(["ff", UUID_HEX, "aa"], 2)).toEqual({ items: ["ff", UUID_HEX], nextPageToken: token });
  });

  it.each([[["ff"]], [["ff", UUID_HEX]], [[]]])(
    "is the last one where it is short, just full or empty: %j",
    async (listed) => {
      expect(await pageOf(listed, 2)).toEqual({ items: listed, nextPageToken: "" });
    },
  );

  it("has 100 items where no number is asked for", async () => {
    const listed = Array<string>(101).fill("ff");
    expect((await pageOf(listed, 0)).items).toHaveLength(100);
  });
});
