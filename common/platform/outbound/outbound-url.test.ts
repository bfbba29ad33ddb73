import { describe, expect, it } from "vitest";
import { checkOutboundUrl } from "./outbound-url.ts";

const PUBLIC = "must name a host of the public internet";

describe("checkOutboundUrl", () => {
  it.each([
    "https://screening.example/check",
    "https://screening.example:8443/check?key=a",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/x",
    "https://BÜCHER.example/".replace("Ü", "%C3%9C"),
  ])("accepts %s", (url) => {
    expect(checkOutboundUrl(url)).toBeUndefined();
  });

  it.each([
    ["", "must be a complete URL, such as https://your-site.example/tidemark"],
    ["screening.example", "must be a complete URL, such as https://your-site.example/tidemark"],
    [" https://screening.example/", "must be a complete URL, such as https://your-site.example/tidemark"],
    ["https://screening.example/a\tb", "must be a complete URL, such as https://your-site.example/tidemark"],
    ["no URL", "must be a complete URL, such as https://your-site.example/tidemark"],
    ["http://screening.example/", "must begin with https://"],
    ["ftp://screening.example/", "must begin with https://"],
    ["file:///etc/passwd", "must begin with https://"],
    ["https://user@screening.example/", "must not contain a user name or password"],
    ["https://user:secret@screening.example/", "must not contain a user name or password"],
    ["https://:secret@screening.example/", "must not contain a user name or password"],
    ["https://screening.example/#a", "must not contain a fragment (#)"],
    ["https://screening.example/#", "must not contain a fragment (#)"],
    ["https://intranet/", PUBLIC],
    ["https://localhost/", PUBLIC],
    ["https://app.localhost/", PUBLIC],
    ["https://127.0.0.1/", PUBLIC],
    ["https://2130706433/", PUBLIC],
    ["https://0x7f.1/", PUBLIC],
    ["https://10.0.0.1/", PUBLIC],
    ["https://169.254.169.254/latest/meta-data", PUBLIC],
    ["https://[::ffff:127.0.0.1]/", PUBLIC],
    ["https://[::ffff:10.0.0.1]/", PUBLIC],
    ["https://[64:ff9b::a9fe:a9fe]/", PUBLIC],
    ["https://[fe80::1]/", PUBLIC],
    ["https://[fd00::1]/", PUBLIC],
    [`https://screening.example/${"a".repeat(2_000)}`, "must have at most 2000 characters"],
  ])("refuses %.60j", (url, problem) => {
    expect(checkOutboundUrl(url)).toBe(problem);
  });

  it("accepts this machine where the setting allows it, and no other private host", () => {
    const loopback = { loopback: true };
    for (const url of ["http://127.0.0.1:8099/", "https://localhost:1/", "http://[::1]/"]) {
      expect(checkOutboundUrl(url, loopback)).toBeUndefined();
    }
    expect(checkOutboundUrl("ftp://localhost/", loopback)).toBe("must begin with https:// or http://");
    expect(checkOutboundUrl("http://screening.example/", loopback)).toBe("must begin with https://");
    expect(checkOutboundUrl("https://192.168.1.1/", loopback)).toBe(PUBLIC);
  });
});
