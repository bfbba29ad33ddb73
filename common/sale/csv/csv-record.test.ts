import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvRecord } from "./csv-record.ts";

/** Reads one record as RFC 4180 says. */
function readRecord(text: string): string[] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  return [...text.matchAll(field)].map(([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain);
}

describe("csvRecord", () => {
  it("quotes only where it has to", () => {
    expect(csvRecord(["a b", "", 'say "x"', "1,2", "a\nb"])).toBe('a b,,"say ""x""","1,2","a\nb"\r\n');
  });

  it("keeps every field", () => {
    const anyText = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', ",", "\r", "\n", "a") }));
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1 }), (fields) => {
        expect(readRecord(csvRecord(fields))).toEqual(fields);
      }),
    );
  });
});
