import { describe, expect, it } from "vitest";
import { rateLimitAddress, rateLimitSite } from "./rate-limit-address.ts";

describe("rateLimitAddress", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
    ["unix", "unix"],
  ])("%s counts as %s", (address, network) => {
    expect(rateLimitAddress(address)).toBe(network);
  });
});

describe("rateLimitSite", () => {
  it.each([
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["2001:DB8:1::", "2001:db8:1::/48"],
    ["::1", "0:0:0::/48"],
    ["192.0.2.7", undefined],
    ["::ffff:192.0.2.7", undefined],
    ["unix", undefined],
  ])("%s counts in %s", (address, network) => {
    expect(rateLimitSite(address)).toBe(network);
  });
});
