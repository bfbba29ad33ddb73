import { describe, expect, it } from "vitest";
import { nextPath } from "../../web/sessions/session.ts";
import { entryKept, keptEntry } from "./kept-entry.ts";

const [BROWSER, OTHER] = ["a".repeat(43), "b".repeat(43)];
const URI = `https://app.example/${"ä".repeat(100)}?a=b&c=%20\n`;

describe("keptEntry", () => {
  it("is shown again in the browser and the field of its entry", () => {
    expect(entryKept("uri", keptEntry("uri", URI, BROWSER), BROWSER)).toBe(URI);
  });

  it("is a query that a sign-in leads back to, however long the entry", () => {
    const kept = keptEntry("uri", "x".repeat(1_024), BROWSER);
    expect(nextPath(`/dashboard/sales?entry=${kept}`)).toBeDefined();
  });

  it.each([
    ["of another browser", keptEntry("uri", URI, OTHER)],
    ["of another field", keptEntry("name", URI, BROWSER)],
    [
      "that was changed",
      keptEntry("uri", URI, BROWSER).replace(/\..*/, `.${Buffer.from("https://evil").toString("base64url")}`),
    ],
    ["without a token", `.${Buffer.from(URI).toString("base64url")}`],
    ["in plain text", URI],
    ["that is empty", ""],
  ])("shows nothing for an entry %s", (_, kept) => {
    expect(entryKept("uri", kept, BROWSER)).toBe("");
  });

  it("shows nothing in a browser without a token", () => {
    expect(entryKept("uri", keptEntry("uri", URI, ""), undefined)).toBe("");
  });
});
