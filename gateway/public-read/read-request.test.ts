import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PublicError } from "../web/http/public-error.ts";
import { parseReadRequest, peekSaleUuid } from "./read-request.ts";

const UUID = "11111111-1111-4111-8111-11111111abcd";

function refusal(body: string | Buffer): { code: string; details: { violations?: unknown[] } } {
  try {
    parseReadRequest(Buffer.from(body));
  } catch (error) {
    if (error instanceof PublicError) return JSON.parse(error.body.toString());
    throw error;
  }
  throw new Error("not refused");
}

describe("parseReadRequest", () => {
  it.each([
    ["the usual form", `{"SaleUUID":"${UUID}"}`],
    ["white space", ` {\n"SaleUUID" : "${UUID}"\t} `],
    ["upper case", `{"SaleUUID":"${UUID.toUpperCase()}"}`],
    ["escapes in name and value", `{"Sale\\u0055UID":"\\u0031${UUID.slice(1)}"}`],
    ["unknown fields", `{"Other":[1,{"SaleUUID":2}],"SaleUUID":"${UUID}","X":null}`],
    ["the last of two", `{"SaleUUID":"nonsense","SaleUUID":"${UUID}"}`],
    ["a harmless __proto__", `{"__proto__":{"SaleUUID":"x"},"SaleUUID":"${UUID}"}`],
  ])("takes %s", (_, body) => {
    expect(parseReadRequest(Buffer.from(body))).toBe(UUID);
  });

  it.each([
    ["nothing", ""],
    ["half an object", `{"SaleUUID":"${UUID}"`],
    ["text after the object", `{"SaleUUID":"${UUID}"} x`],
    ["single quotes", `{'SaleUUID':'${UUID}'}`],
    ["a number alone", "1"],
    ["null", "null"],
    ["a list", `["${UUID}"]`],
    ["a text", `"${UUID}"`],
    ["deep nesting", "[".repeat(16_000)],
    ["invalid UTF-8", Buffer.from(`{"X":"\xff","SaleUUID":"${UUID}"}`, "latin1")],
    ["UTF-16", Buffer.from(`{"SaleUUID":"${UUID}"}`, "utf16le")],
  ])("refuses %s", (_, body) => {
    expect(refusal(body).code).toBe("invalid_argument");
  });

  it.each([
    ["{}", "required"],
    [`{"saleUUID":"${UUID}"}`, "required"],
    [`{"__proto__":{"SaleUUID":"${UUID}"}}`, "required"],
    ['{"SaleUUID":null}', "string"],
    ['{"SaleUUID":1}', "string"],
    [`{"SaleUUID":["${UUID}"]}`, "string"],
    ['{"SaleUUID":""}', "string.uuid"],
    [`{"SaleUUID":"{${UUID}}"}`, "string.uuid"],
    [`{"SaleUUID":" ${UUID}"}`, "string.uuid"],
    [`{"SaleUUID":"${UUID}\\n"}`, "string.uuid"],
    [`{"SaleUUID":"${UUID.replaceAll("-", "")}"}`, "string.uuid"],
    [`{"SaleUUID":"${UUID}","SaleUUID":"nonsense"}`, "string.uuid"],
  ])("names the field and the rule for %s", (body, rule) => {
    const violation = expect.objectContaining({ field: "SaleUUID", rule });
    expect(refusal(body)).toMatchObject({ code: "invalid_argument", details: { violations: [violation] } });
  });
});

describe("peekSaleUuid", () => {
  it("finds the UUID of the usual forms", () => {
    expect(peekSaleUuid(Buffer.from(`{"SaleUUID":"${UUID}"}`))).toBe(UUID);
    expect(peekSaleUuid(Buffer.from(`{"SaleUUID": "${UUID}"}`))).toBe(UUID);
  });

  it("never finds a UUID that parsing wouldn't", () => {
    const fragment = fc.constantFrom(
      '{"SaleUUID":',
      '"',
      " ",
      UUID,
      '"}',
      ",",
      "\\",
      '"SaleUUID":',
      "x",
      "{",
      "}",
      "é",
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 8 }), (fragments) => {
        const body = Buffer.from(fragments.join(""));
        if (peekSaleUuid(body) === UUID) expect(parseReadRequest(body)).toBe(UUID);
      }),
      { numRuns: 5000, examples: [[['{"SaleUUID":', '"', UUID, '"}']]] },
    );
  });
});
