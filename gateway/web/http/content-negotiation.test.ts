import { describe, expect, it } from "vitest";
import { acceptsGzip, jsonTypeProblem, matchesEtag } from "./content-negotiation.ts";

describe("acceptsGzip", () => {
  it.each([
    [undefined, false],
    ["", false],
    ["gzip", true],
    ["GZIP", true],
    ["x-gzip", true],
    ["gzip, deflate, br, zstd", true],
    ["br;q=1.0, gzip;q=0.8, *;q=0.1", true],
    ["gzip;q=0", false],
    ["gzip; q=0.000", false],
    ["gzip;q=0.001", true],
    ["*", true],
    ["*;q=0", false],
    ["gzip;q=0, *", false],
    ["*;q=0, gzip", true],
    ["identity", false],
    ["br", false],
    ["gzipped", false],
  ])("%j: %s", (value, expected) => {
    expect(acceptsGzip(value)).toBe(expected);
  });
});

describe("matchesEtag", () => {
  const etag = 'W/"0000000000000001-7"';
  it.each([
    [undefined, false],
    ["", false],
    [etag, true],
    ['"0000000000000001-7"', true],
    ["*", true],
    [" * ", true],
    [`"a", ${etag}`, true],
    [`W/"b",W/"0000000000000001-7"`, true],
    ['W/"0000000000000001-70"', false],
    ['W/"0000000000000002-7"', false],
    ["0000000000000001-7", false],
    ['"', false],
  ])("%j: %s", (value, expected) => {
    expect(matchesEtag(value, etag)).toBe(expected);
  });
});

describe("jsonTypeProblem", () => {
  const OTHER_TYPE = "Content-Type must be application/json.";
  const OTHER_CHARSET = "The charset of application/json must be utf-8.";

  it.each([
    ["application/json", undefined],
    ["Application/JSON", undefined],
    ["application/json; charset=utf-8", undefined],
    ['application/json;charset="UTF-8"', undefined],
    ["application/json; profile=x", undefined],
    ["application/json; charset=latin1", OTHER_CHARSET],
    ["application/json;charset=utf-16", OTHER_CHARSET],
    ["text/plain; charset=utf-16", OTHER_TYPE],
    ["application/jsonp", OTHER_TYPE],
    ["application/problem+json", OTHER_TYPE],
    ["text/plain", OTHER_TYPE],
    ["", OTHER_TYPE],
    [undefined, OTHER_TYPE],
  ])("%j: %s", (value, expected) => {
    expect(jsonTypeProblem(value)).toBe(expected);
  });
});
