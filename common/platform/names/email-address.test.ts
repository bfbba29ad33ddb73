import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../errors/service-error.ts";
import { parseEmailAddress } from "./email-address.ts";

function brokenRule(text: string): string | undefined {
  try {
    parseEmailAddress(text);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.violations[0]?.rule;
    throw error;
  }
}

describe("parseEmailAddress", () => {
  it.each([
    ["name@example.com", "name@example.com"],
    ["NAME@Example.COM", "name@example.com"],
    ["first.last+tag@sub.example.co", "first.last+tag@sub.example.co"],
    ["o'neil!#$%&*/=?^_`{|}~-@example.com", "o'neil!#$%&*/=?^_`{|}~-@example.com"],
    ["a@xn--bcher-kva.example", "a@xn--bcher-kva.example"],
    ["a@1.2.example3", "a@1.2.example3"],
    [`${"l".repeat(64)}@example.com`, `${"l".repeat(64)}@example.com`],
    [`a@${"d".repeat(63)}.example`, `a@${"d".repeat(63)}.example`],
  ])("accepts %s", (text, address) => {
    expect(parseEmailAddress(text)).toBe(address);
  });

  it.each([
    ["", "email.form"],
    ["name", "email.form"],
    ["@example.com", "email.form"],
    ["name@", "email.domain"],
    ["a@b@example.com", "email.form"],
    [".a@example.com", "email.form"],
    ["a.@example.com", "email.form"],
    ["a..b@example.com", "email.form"],
    ['"a b"@example.com', "email.ascii"],
    ['"ab"@example.com', "email.form"],
    ["a,b@example.com", "email.form"],
    ["<a@example.com>", "email.form"],
    ["Name<a@example.com", "email.form"],
    ["a(c)@example.com", "email.form"],
    ["a;b@example.com", "email.form"],
    ["a:b@example.com", "email.form"],
    ["a\\b@example.com", "email.form"],
    [" a@example.com", "email.ascii"],
    ["a@example.com\n", "email.ascii"],
    ["a@example.com\r\nBcc: b@example.com", "email.ascii"],
    ["a\0@example.com", "email.ascii"],
    ["é@example.com", "email.ascii"],
    // Its capital letter would become an ASCII letter in lower case.
    ["\u212Aate@example.com", "email.ascii"],
    ["a@exämple.com", "email.ascii"],
    ["a@localhost", "email.domain"],
    ["a@example.com.", "email.domain"],
    ["a@.example.com", "email.domain"],
    ["a@example..com", "email.domain"],
    ["a@-example.com", "email.domain"],
    ["a@example-.com", "email.domain"],
    ["a@exa_mple.com", "email.domain"],
    ["a@[127.0.0.1]", "email.domain"],
    ["a@127.0.0.1", "email.domain"],
    [`a@${"d".repeat(64)}.example`, "email.domain"],
    [`${"l".repeat(65)}@example.com`, "email.length"],
    [`a@${"d.".repeat(126)}com`, "email.length"],
  ])("refuses %j by the rule %s", (text, rule) => {
    expect(brokenRule(text)).toBe(rule);
  });

  it("names the field of the request", () => {
    expect(() => parseEmailAddress("x", "member_email")).toThrow(/^member_email: /);
  });

  it("changes only ASCII capitals, and returns nothing that can break a header", () => {
    const characters = fc.constantFrom(...'aZ09.@-+_<>,;: \r\n\t"\\()[]\0ßKéÅ');
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 20 }), (local) => {
        const text = `${local}@example.com`;
        if (brokenRule(text) !== undefined) return;
        expect(parseEmailAddress(text)).toBe(text.toLowerCase());
        expect(parseEmailAddress(text)).toMatch(/^[a-z0-9.@+_-]+$/);
      }),
      { numRuns: 2_000 },
    );
  });
});
