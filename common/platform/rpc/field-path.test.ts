import { create } from "@bufbuild/protobuf";
import { type FieldPath, FieldPathSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatFieldPath, parseFieldPath } from "./field-path.ts";

const parse = (text: string): FieldPath => create(FieldPathSchema, parseFieldPath(text));

describe("field paths", () => {
  it("parses names and indexes", () => {
    expect(parse("upserts[3].amounts[0].token").elements).toMatchObject([
      { fieldName: "upserts", subscript: { case: "index", value: 3n } },
      { fieldName: "amounts", subscript: { case: "index", value: 0n } },
      { fieldName: "token", subscript: { case: undefined } },
    ]);
  });

  it("gives back every path", () => {
    const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,10}$/);
    const segment = fc
      .tuple(name, fc.option(fc.nat()))
      .map(([field, index]) => (index === null ? field : `${field}[${index}]`));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const text = segments.join(".");
        expect(parse(text).elements).toHaveLength(segments.length);
        expect(formatFieldPath(parse(text))).toBe(text);
      }),
    );
  });

  it("keeps a text that is no path", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(formatFieldPath(parse(text))).toBe(text);
      }),
    );
    expect(formatFieldPath(parse("a[007]"))).toBe("a[007]");
  });

  it("formats keys of maps, and an absent path as nothing", () => {
    const elements = [
      { fieldName: "a", subscript: { case: "stringKey", value: 'k"' } as const },
      { fieldName: "b", subscript: { case: "boolKey", value: true } as const },
    ];
    expect(formatFieldPath(create(FieldPathSchema, { elements }))).toBe('a["k\\""].b[true]');
    expect(formatFieldPath(undefined)).toBe("");
  });
});
