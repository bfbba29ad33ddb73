import { expect, it } from "vitest";
import { hostMatcher } from "./request-host.ts";

it.each([
  ["https://sign-in.example", "sign-in.example", true],
  ["https://sign-in.example", "Sign-In.EXAMPLE", true],
  ["https://sign-in.example", "sign-in.example:443", true],
  ["https://sign-in.example", "SIGN-IN.example:443", true],
  ["http://sign-in.example", "sign-in.example:80", true],
  ["https://[2001:db8::1]", "[2001:DB8::1]:443", true],
  ["https://sign-in.example:8443", "sign-in.example:8443", true],
  ["https://sign-in.example", "sign-in.example:80", false],
  ["https://sign-in.example", "sign-in.example:8443", false],
  ["https://sign-in.example:8443", "sign-in.example", false],
  ["https://sign-in.example", "sign-in.example.", false],
  ["https://sign-in.example", "", false],
  ["https://sign-in.example", undefined, false],
])("compares %s with the header %j: %j", (url, header, matches) => {
  expect(hostMatcher(url)(header)).toBe(matches);
});
