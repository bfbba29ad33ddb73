import { describe, expect, it } from "vitest";
import { isAmbiguousPath, requestPath } from "./request-path.ts";

describe("requestPath", () => {
  it.each([
    ["/a/b", "/a/b"],
    ["/a?b=/c", "/a"],
    ["/a#b", "/a"],
    ["http://any.example/a?b", "/a"],
    ["HTTPS://any.example:1/a?#", "/a"],
    ["//a/b", "//a/b"],
    ["/a%2fb", "/a%2fb"],
  ])("finds the path of %s", (target, path) => {
    expect(requestPath(target)).toBe(path);
  });

  it.each(["", "*", "a/b", "any.example:443", "ftp://any.example/a", "http://any.example", "x?/a"])(
    "finds none in %j",
    (target) => {
      expect(requestPath(target)).toBe("");
    },
  );
});

describe("isAmbiguousPath", () => {
  it.each([
    "/assets/../dashboard",
    "/assets/..",
    "/./dashboard",
    "/assets/.",
    "/assets/%2e%2e/dashboard",
    "/assets/.%2E/dashboard",
    "/assets/%2E",
    "/assets/..%2fdashboard",
    "/assets%2Fdashboard",
    "/assets/..\\dashboard",
    "/assets%5c..%5cdashboard",
  ])("is true of %s", (path) => {
    expect(isAmbiguousPath(path)).toBe(true);
  });

  it.each([
    "/",
    "",
    "//a",
    "/.well-known/jwks.json",
    "/assets/a.css",
    "/assets/...",
    "/assets/..a/b..",
    "/a%20b",
    "/%61",
  ])("is false of %j", (path) => {
    expect(isAmbiguousPath(path)).toBe(false);
  });
});
