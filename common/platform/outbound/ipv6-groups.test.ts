import { describe, expect, it } from "vitest";
import { ipv6Groups } from "./ipv6-groups.ts";

describe("ipv6Groups", () => {
  it.each([
    ["::", [0, 0, 0, 0, 0, 0, 0, 0]],
    ["::1", [0, 0, 0, 0, 0, 0, 0, 1]],
    ["fe80::1%eth0", [0xfe80, 0, 0, 0, 0, 0, 0, 1]],
    ["2001:db8::", [0x2001, 0xdb8, 0, 0, 0, 0, 0, 0]],
    ["1:2:3:4:5:6:7:8", [1, 2, 3, 4, 5, 6, 7, 8]],
    ["::ffff:192.0.2.1", [0, 0, 0, 0, 0, 0xffff, 0xc000, 0x201]],
    ["1:2:3:4:5:6:192.0.2.1", [1, 2, 3, 4, 5, 6, 0xc000, 0x201]],
  ])("of %s", (address, groups) => expect(ipv6Groups(address)).toEqual(groups));
});
