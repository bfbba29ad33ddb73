import { describe, expect, it } from "vitest";
import { nextPageToken, pageSize, pageStart } from "./page-token.ts";

const UUID = "11111111-1111-4111-8111-1111111111fb";
const UUID_HEX = UUID.replaceAll("-", "");
const token = nextPageToken([UUID], 1, (uuid) => uuid);

describe("page tokens", () => {
  it("0 means a page of 100", () => {
    expect([pageSize(0), pageSize(1), pageSize(500)]).toEqual([100, 1, 500]);
  });

  it("begin at the start without a token", () => {
    expect(pageStart("", 32)).toBe("");
  });

  it("go on after the last item of a full page", () => {
    expect(pageStart(token, 32)).toBe(UUID_HEX);
    expect(nextPageToken(["ff", UUID_HEX], 2, (id) => id)).toBe(token);
  });

  it("end with a page that isn't full", () => {
    expect(nextPageToken([UUID], 2, (uuid) => uuid)).toBe("");
    expect(nextPageToken([], 1, String)).toBe("");
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
