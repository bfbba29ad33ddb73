import { describe, expect, it } from "vitest";
import { formatMailbox, parseMailbox } from "./mailer.ts";

describe("a mailbox", () => {
  it.each([
    ["sale@example.com", { name: "", address: "sale@example.com" }],
    ["tidemark@localhost", { name: "", address: "tidemark@localhost" }],
    ["The Sale <sale@example.com>", { name: "The Sale", address: "sale@example.com" }],
    ['"Sale, the" <sale@example.com>', { name: "Sale, the", address: "sale@example.com" }],
    ["Größe <sale@example.com>", { name: "Größe", address: "sale@example.com" }],
    ["Größe <Sale@Größe.example>", { name: "Größe", address: "Sale@xn--gre-6ka8i.example" }],
  ])("is parsed from %s", (text, mailbox) => {
    expect(parseMailbox(text)).toEqual(mailbox);
    expect(parseMailbox(formatMailbox(mailbox))).toEqual(mailbox);
  });

  it.each([
    "",
    "sale",
    "a@b@c",
    "Sale <sale>",
    "Sale sale@example.com",
    "a@example.com\r\nBcc: b@example.com",
    "A\nB <a@example.com>",
  ])("is not %j", (text) => {
    expect(parseMailbox(text)).toBeUndefined();
  });
});
