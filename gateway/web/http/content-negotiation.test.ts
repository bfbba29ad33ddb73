import { describe, expect, it } from "vitest";
import { acceptsGzip, isJson, matchesEtag } from "./content-negotiation.ts";

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

describe("isJson", () => {
  it.each([
    ["application/json", true],
    ["Application/JSON", true],
    ["application/json; charset=utf-8", true],
    ['application/json;charset="UTF-8"', true],
    ["application/json; profile=x", true],
    ["application/json; charset=latin1", false],
    ["application/jsonp", false],
    ["application/problem+json", false],
    ["text/plain", false],
    ["", false],
    [undefined, false],
  ])("%j: %s", (value, expected) => {
    expect(isJson(value)).toBe(expected);
  });
});
