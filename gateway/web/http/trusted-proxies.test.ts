import { describe, expect, it } from "vitest";
import { TrustedProxies } from "./trusted-proxies.ts";

function addressOf(trusted: string, socketAddress: string | undefined, forwardedFor?: string): string | undefined {
  return TrustedProxies.parse(trusted)?.clientAddress(socketAddress, forwardedFor);
}

describe("TrustedProxies", () => {
  it.each([
    ["nobody is trusted", "0", "192.0.2.1", "198.51.100.7", "192.0.2.1"],
    ["one proxy", "1", "10.0.0.1", "198.51.100.7", "198.51.100.7"],
    ["one proxy, and an invented start", "1", "10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"],
    ["two proxies", "2", "10.0.0.1", "203.0.113.9, 198.51.100.7, 10.0.0.2", "198.51.100.7"],
    ["fewer addresses than proxies", "3", "10.0.0.1", "198.51.100.7", "198.51.100.7"],
    ["no header", "1", "10.0.0.1", undefined, "10.0.0.1"],
    ["an empty header", "1", "10.0.0.1", "", "10.0.0.1"],
    ["no address at all", "1", "10.0.0.1", "unknown", "10.0.0.1"],
    ["an invented address behind a real one", "2", "10.0.0.1", "evil, 198.51.100.7", "198.51.100.7"],
    ["a network", "10.0.0.0/8", "10.0.0.1", "203.0.113.9, 198.51.100.7, 10.9.9.9", "198.51.100.7"],
    ["a foreign socket", "10.0.0.0/8", "192.0.2.1", "198.51.100.7", "192.0.2.1"],
    ["one address", "10.0.0.1", "10.0.0.1", "10.0.0.2, 10.0.0.3", "10.0.0.3"],
    ["everybody trusted", "0.0.0.0/0", "10.0.0.1", "203.0.113.9, 198.51.100.7", "203.0.113.9"],
    ["IPv6", "2001:db8::/32, ::1", "::1", "2001:db8:1::1, 2606::1, 2001:db8::5", "2606::1"],
    ["IPv4 mapped to IPv6", "10.0.0.0/8", "::ffff:10.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"],
    ["a zone", "0", "fe80::1%eth0", undefined, "fe80::1"],
    ["a connection that has gone", "1", undefined, "198.51.100.7", ""],
  ])("finds the client's address with %s", (_, trusted, socketAddress, forwardedFor, expected) => {
    expect(addressOf(trusted, socketAddress, forwardedFor)).toBe(expected);
  });

  it.each(["17", "-1", "1.5", "", "proxy", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.1,"])(
    "refuses %j",
    (text) => expect(TrustedProxies.parse(text)).toBeUndefined(),
  );
});
