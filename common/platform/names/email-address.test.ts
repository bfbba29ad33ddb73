import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../errors/service-error.ts";
import { parseEmailAddress } from "./email-address.ts";
import { withoutOuterBlanks } from "./hidden-characters.ts";

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
    ["a@bücher.example", "a@xn--bcher-kva.example"],
    ["a@XN--BCHER-KVA.example", "a@xn--bcher-kva.example"],
    // As macOS writes it: the letter and its mark apart.
    ["a@bu\u0308cher.example", "a@xn--bcher-kva.example"],
    ["a@BÜCHER.EXAMPLE", "a@xn--bcher-kva.example"],
    ["a@straße.example", "a@xn--strae-oqa.example"],
    ["a@例え。テスト", "a@xn--r8jz45g.xn--zckzah"],
    ["a@ｅｘａｍｐｌｅ.com", "a@example.com"],
    ["a@bücher.xn--p1ai", "a@xn--bcher-kva.xn--p1ai"],
    ["a@exam\u200bple.com", "a@example.com"],
    ["a@ex\u00adample.com", "a@example.com"],
    [" a@example.com", "a@example.com"],
    ["a@example.com\r\n", "a@example.com"],
    ["\ufeff\u200b \u00a0a@example.com\u2069\u200e \u3164", "a@example.com"],
    ["\u2068a@bücher.example\u2069", "a@xn--bcher-kva.example"],
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
    ["a @example.com", "email.ascii"],
    ["a\u200b@example.com", "email.ascii"],
    ["a@example.com\r\nBcc: b@example.com", "email.form"],
    ["a@example.com\r\nBcc: b", "email.domain"],
    ["a@exam ple.com", "email.domain"],
    ["a@exa\tmple.com", "email.domain"],
    ["a\0@example.com", "email.ascii"],
    ["é@example.com", "email.ascii"],
    // Its capital letter would become an ASCII letter in lower case.
    ["\u212Aate@example.com", "email.ascii"],
    ["é@exämple.com", "email.ascii"],
    // The conversion of a URL's host would take these as a path, a port, a user and an escaped dot.
    ["a@bücher.example/x", "email.domain"],
    ["a@bücher.example?x", "email.domain"],
    ["a@bücher.example#x", "email.domain"],
    ["a@bücher.example:80", "email.domain"],
    ["a@b@bücher.example", "email.form"],
    ["a@büch%2eer.example", "email.domain"],
    ["a@bü\ncher.example", "email.domain"],
    ["a@bücher", "email.domain"],
    ["a@bücher.example.", "email.domain"],
    ["a@bücher..example", "email.domain"],
    ["a@bücher.exa_mple", "email.domain"],
    ["a@１２７.0.0.1", "email.domain"],
    ["a@℀.example", "email.domain"],
    ["a@\u202ebücher.\u0300example", "email.domain"],
    [`a@${"ü".repeat(64)}.example`, "email.domain"],
    [`a@${"ü".repeat(255)}.example`, "email.length"],
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

  it("has one spelling for a domain in Unicode and in ASCII, whatever stands around it", () => {
    const label = fc.string({ unit: fc.constantFrom(..."abüßéжяñ例え한"), minLength: 1, maxLength: 12 });
    const blanks = fc.string({ unit: fc.constantFrom(..." \t\n\u00a0\u200b\u200e\u2068\ufeff"), maxLength: 4 });
    fc.assert(
      fc.property(label, blanks, blanks, (domain, before, after) => {
        const ascii = new URL(`https://${domain}.example`).host;
        expect(parseEmailAddress(`${before}Ann@${domain}.example${after}`)).toBe(`ann@${ascii}`);
        expect(parseEmailAddress(`ann@${ascii}`)).toBe(`ann@${ascii}`);
      }),
    );
  });

  it("changes only ASCII capitals, and returns nothing that can break a header", () => {
    const characters = fc.constantFrom(...'aZ09.@-+_<>,;: \r\n\t"\\()[]\0ßKéÅ');
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 20 }), (local) => {
        const text = `${local}@example.com`;
        if (brokenRule(text) !== undefined) return;
        expect(parseEmailAddress(text)).toBe(withoutOuterBlanks(text).toLowerCase());
        expect(parseEmailAddress(text)).toMatch(/^[a-z0-9.@+_-]+$/);
      }),
      { numRuns: 2_000 },
    );
  });
});
