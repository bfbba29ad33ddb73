import { expect, it } from "vitest";
import { normalisedTarget } from "./dpop-proof.ts";

it.each([
  ["https://auth.example/oauth/token", "https://auth.example/oauth/token"],
  ["HTTPS://AUTH.example:443/oauth/token", "https://auth.example/oauth/token"],
  ["http://127.0.0.1:8080/oauth/token", "http://127.0.0.1:8080/oauth/token"],
  ["https://auth.example/oauth/token?a=b#c", "https://auth.example/oauth/token"],
  ["https://auth.example/other/../oauth/./token", "https://auth.example/oauth/token"],
  ["https://auth.example/%6Fauth/%74oken%2f", "https://auth.example/oauth/token%2F"],
  ["https://auth.example", "https://auth.example/"],
])("normalises %s (RFC 3986 sections 6.2.2 and 6.2.3)", (uri, normalised) => {
  expect(normalisedTarget(uri)).toBe(normalised);
});

it.each([
  [""],
  ["/oauth/token"],
  ["//auth.example/oauth/token"],
  ["ftp://auth.example/"],
  ["https:/auth.example/"],
  ["https:///auth.example/"],
  ["https://a:b@auth.example/"],
  ["https://auth.example\\oauth"],
  ["https://auth.example/\noauth"],
  [" https://auth.example/"],
  ["https://auth.example:99999/"],
  ["https://äuth.example/"],
])("refuses %j", (uri) => {
  expect(normalisedTarget(uri)).toBeUndefined();
});
