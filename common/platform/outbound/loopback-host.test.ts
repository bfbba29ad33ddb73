import { describe, expect, it } from "vitest";
import { isLoopbackHost } from "./loopback-host.ts";

const isLoopbackUrl = (host: string) => isLoopbackHost(new URL(`https://${host}/`).hostname);

describe("isLoopbackHost", () => {
  it.each([
    "localhost",
    "LOCALHOST",
    "LocalHost.",
    "localhost..",
    "localhost.",
    "app.localhost",
    "a.b.localhost.",
    "ｌｏｃａｌｈｏｓｔ",
    "%6c%6f%63%61%6c%68%6f%73%74",
    "localhost.localdomain",
    "localhost4",
    "localhost4.localdomain4",
    "localhost6",
    "localhost6.localdomain6",
    "ip6-localhost",
    "ip6-loopback",
    "127.0.0.1",
    "127.0.0.1.",
    "127.0.0.0",
    "127.255.255.255",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7F.0.0.1",
    "0x7f.1",
    "017700000001",
    "0177.0.0.1",
    "0177.0.0.01",
    "127.0.0.0x1",
    "１２７.０.０.１",
    "127。0。0。1",
    "0.0.0.0",
    "0",
    "0x0",
    "00000000000",
    "0.0.0.1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "[::]",
    "[0:0:0:0:0:0:0:0]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:7fff:ffff]",
    "[::ffff:0.0.0.0]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
  ])("accepts %s", (host) => {
    expect(isLoopbackUrl(host)).toBe(true);
  });

  it.each([
    "example.com",
    "localhost.example.com",
    "notlocalhost",
    "localhosts",
    "xn--lcalhost-v3a.com",
    "128.0.0.1",
    "126.255.255.255",
    "1.0.0.0",
    "10.0.0.1",
    "192.168.0.1",
    "127.0.0.1.example.com",
    "127-0-0-1.example.com",

    "[::2]",
    "[::1:0]",
    "[::ff:ffff]",
    "[::100:0]",
    "[::ffff:8.8.8.8]",
    "[2001:db8::1]",
    "[2001:db8::7f00:1]",
    "[1::7f00:1]",
    "[fe80::1]",
  ])("refuses %s", (host) => {
    expect(isLoopbackUrl(host)).toBe(false);
  });

  it("accepts all of 127.0.0.0/8 in any notation", () => {
    for (const number of [0x7f00_0000, 0x7f00_0002, 0x7f12_3456, 0x7fff_ffff]) {
      expect(
        [number, `0x${number.toString(16)}`, `0${number.toString(8)}`].map((host) => isLoopbackUrl(`${host}`)),
      ).toEqual([true, true, true]);
    }
    expect([0x7eff_ffff, 0x8000_0000].map((number) => isLoopbackUrl(`${number}`))).toEqual([false, false]);
  });
});
