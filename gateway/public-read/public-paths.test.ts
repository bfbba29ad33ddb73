import { describe, expect, it } from "vitest";
import { findResource, publicPaths } from "./public-paths.ts";

const paths = publicPaths("svc");

describe("findResource", () => {
  it.each([
    "/svc/v1/public/read-commitment-data",
    "/svc/v1/public/read-commitment-data?x=1",
    "http://any.example/svc/v1/public/read-commitment-data",
    "HTTPS://any.example:1/svc/v1/public/read-commitment-data?#",
  ])("knows the read at %s", (target) => {
    expect(findResource(paths, target)).toStrictEqual({ kind: "read" });
  });

  it.each(["/svc/v1/public/sales/abc/commitment-data", "http://h/svc/v1/public/sales/abc/commitment-data?y"])(
    "knows a sale at %s",
    (target) => {
      expect(findResource(paths, target)).toStrictEqual({ kind: "sale", saleUuid: "abc" });
    },
  );

  it.each([
    ["stream", "/svc/v1/public/sales/abc/commitment-data/stream?x"],
    ["history", "/svc/v1/public/sales/abc/history"],
    ["demand", "http://h/svc/v1/public/sales/abc/demand"],
  ])("knows the %s of a sale at %s", (kind, target) => {
    expect(findResource(paths, target)).toStrictEqual({ kind, saleUuid: "abc" });
  });

  it.each([
    "",
    "*",
    "/",
    "//svc/v1/public/read-commitment-data",
    "/svc/v1/public/read-commitment-data/",
    "/svc/v1/public/../public/read-commitment-data",
    "/svc/v1/public/read%2dcommitment-data",
    "/SVC/v1/public/read-commitment-data",
    "/other/v1/public/read-commitment-data",
    "/svc/v1/public/sales//commitment-data",
    "/svc/v1/public/sales/commitment-data",
    "/svc/v1/public/sales/a/b/commitment-data",
    "/svc/v1/public/sales/a/stream",
    "/svc/v1/public/sales/a/history/stream",
    "/svc/v1/public/sales//demand",
    "ftp://h/svc/v1/public/read-commitment-data",
    "x?/svc/v1/public/read-commitment-data",
  ])("knows nothing at %j", (target) => {
    expect(findResource(paths, target)).toBeUndefined();
  });
});
