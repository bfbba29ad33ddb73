import { describe, expect, it } from "vitest";
import { ServiceError } from "../../platform/errors/service-error.ts";
import type { SalePresentation } from "./sale-fields.ts";
import { checkPresentation } from "./sale-presentation.ts";
import { UINT256_MAX } from "./uint.ts";
import { ViolationList } from "./violation-list.ts";

function check(presentation: SalePresentation, logo?: string): SalePresentation | undefined {
  const violations = new ViolationList();
  const checked = checkPresentation(presentation, logo, violations);
  violations.throwIfAny();
  return checked;
}

function refusal(presentation: SalePresentation): string {
  return violationsOf(presentation)
    .map(({ field, rule }) => `${field} ${rule}`)
    .join();
}

function violationsOf(presentation: SalePresentation): ServiceError["violations"] {
  try {
    check(presentation);
  } catch (error) {
    if (error instanceof ServiceError) return error.violations;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("checkPresentation", () => {
  it("keeps what is entered, in canonical form", () => {
    const entered = {
      description: "  First line,\r\nsecond\tline 🌊 \n",
      website: " HTTPS://Founder.Example ",
      contact: " Help@Bücher.Example ",
      offeredTokenSymbol: " TIDE ",
      opensAtSeconds: 0,
      closesAtSeconds: 253_402_300_799,
      totalSupply: UINT256_MAX,
    };
    expect(check(entered)).toEqual({
      description: "First line,\nsecond\tline 🌊",
      website: "https://founder.example/",
      contact: "help@xn--bcher-kva.example",
      offeredTokenSymbol: "TIDE",
      opensAtSeconds: 0,
      closesAtSeconds: 253_402_300_799,
      totalSupply: UINT256_MAX,
    });
  });

  it.each([0n, -1n, UINT256_MAX + 1n])("refuses a total supply of %s", (totalSupply) => {
    expect(refusal({ totalSupply })).toBe("definition.presentation.total_supply range");
  });

  it("is nothing where nothing is entered", () => {
    expect(check({})).toBeUndefined();
    expect(check({ description: " \n ", website: "", offeredTokenSymbol: " " })).toBeUndefined();
  });

  it("keeps the logo, and takes none from a caller", () => {
    expect(check({ description: "a", logo: "00" }, "a1")).toEqual({ description: "a", logo: "a1" });
    expect(check({ logo: "00" })).toBeUndefined();
    expect(check({}, "a1")).toEqual({ logo: "a1" });
  });

  it("counts characters, not bytes", () => {
    expect(check({ description: "🌊".repeat(2_000) })?.description).toHaveLength(4_000);
    expect(refusal({ description: "🌊".repeat(2_001) })).toBe("definition.presentation.description description.length");
  });

  it.each(["a\u0000b", "a\rb", "a\u007fb", "a\u202eb", "a\u2028b", "a\ud800b"])(
    "refuses the description %j",
    (text) => {
      expect(refusal({ description: text })).toBe("definition.presentation.description description.characters");
    },
  );

  it.each(["<b>", "a > b"])("refuses mark-up such as %j", (description) => {
    expect(refusal({ description })).toBe("definition.presentation.description description.markup");
  });

  it.each(["http://localhost:3000/join?x=1", "http://127.0.0.1/", "http://[::1]:8080/"])(
    "takes %s to try out",
    (url) => {
      expect(check({ website: url })?.website).toBe(url);
    },
  );

  it.each([
    ["founder.example", "url"],
    ["http://founder.example/", "scheme"],
    ["http://localhost.founder.example/", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["data:text/html,x", "scheme"],
    ["https://user@founder.example/", "credentials"],
    ["https://user:pass@founder.example/", "credentials"],
    [`https://founder.example/${"a".repeat(500)}`, "length"],
  ])("refuses the website %j", (website, rule) => {
    expect(refusal({ website })).toBe(`definition.presentation.website website.${rule}`);
  });

  it.each(["https://sale.example/help?a=1#b", "https://t.me/@sale", "a+b@sale.example"])(
    "takes the contact %s",
    (contact) => {
      expect(check({ contact })?.contact).toBe(contact);
    },
  );

  it.each([
    ["help", "form"],
    ["sale.example/help", "form"],
    ["mailto:help@sale.example", "form"],
    ["help@localhost", "form"],
    ["Help <help@sale.example>", "form"],
    ["a@sale.example, b@sale.example", "form"],
    ["http://sale.example/", "form"],
    ["http://localhost/", "form"],
    ["javascript:alert(1)//@sale.example", "form"],
    ["https://user@sale.example/", "form"],
    [`https://sale.example/${"a".repeat(100)}`, "length"],
    [`${"a".repeat(64)}@${"sale.".repeat(10)}example`, "length"],
  ])("refuses the contact %j", (contact, rule) => {
    expect(refusal({ contact })).toBe(`definition.presentation.contact contact.${rule}`);
  });

  it.each([
    [{ announcedAtSeconds: 5, opensAtSeconds: 5 }, "opens_at_seconds", "the announcement"],
    [{ announcedAtSeconds: 5, closesAtSeconds: 4 }, "closes_at_seconds", "the announcement"],
    [{ opensAtSeconds: 5, closesAtSeconds: 5 }, "closes_at_seconds", "the opening"],
    [{ closesAtSeconds: 5, cancelUntilSeconds: 5 }, "cancel_until_seconds", "the closing"],
    [{ cancelUntilSeconds: 5, settlesAtSeconds: 5 }, "settles_at_seconds", "the end of cancelling"],
    [{ closesAtSeconds: 5, vestedBySeconds: 5 }, "vested_by_seconds", "the closing"],
  ])("refuses the times %j: %s must be later than %s", (times, field, earlier) => {
    expect(refusal(times)).toBe(`definition.presentation.${field} times.order`);
    expect(violationsOf(times).map(({ message }) => message)).toEqual([`must be later than ${earlier}`]);
  });

  it.each(["<b>", "a".repeat(33), "a\nb", "א"])("refuses the symbol %j", (offeredTokenSymbol) => {
    expect(refusal({ offeredTokenSymbol })).toBe("definition.presentation.offered_token_symbol symbol");
  });

  it("refuses times that are none, and a sale that closes before it opens", () => {
    const field = "definition.presentation.closes_at_seconds";
    expect(refusal({ closesAtSeconds: 253_402_300_800 })).toBe(`${field} range`);
    expect(refusal({ closesAtSeconds: -1 })).toBe(`${field} range`);
    expect(refusal({ opensAtSeconds: 5, closesAtSeconds: 5 })).toBe(`${field} times.order`);
    expect(check({ opensAtSeconds: 5, closesAtSeconds: 6 })).toEqual({ opensAtSeconds: 5, closesAtSeconds: 6 });
  });
});
