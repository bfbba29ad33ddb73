import { describe, expect, it } from "vitest";
import { requestPath } from "./request-path.ts";

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
