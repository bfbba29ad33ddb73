import { describe, expect, it } from "vitest";
import { AddressLimits } from "./address-limits.ts";
import { PublicError, unavailable } from "./public-error.ts";

const limitsOf = () =>
  new AddressLimits({
    max: 3,
    maxPerAddress: 2,
    full: () => unavailable("full"),
    addressFull: tooMany,
  });
const tooMany = () => new PublicError("resource_exhausted", "too many");
const TOO_MANY = expect.objectContaining({ status: 429 });
const FULL = expect.objectContaining({ status: 503 });

describe("AddressLimits", () => {
  it("bounds what is under way of an address and of all", () => {
    const limits = limitsOf();
    const leave = limits.enter("192.0.2.1");
    limits.enter("192.0.2.1");
    expect(() => limits.enter("192.0.2.1")).toThrow(TOO_MANY);
    limits.enter("192.0.2.2");
    expect(() => limits.enter("192.0.2.2")).toThrow(FULL);
    leave();
    leave();
    limits.enter("192.0.2.3");
    expect(() => limits.enter("192.0.2.1")).toThrow(FULL);
  });

  it("counts the addresses of an IPv6 /64 as one", () => {
    const limits = limitsOf();
    limits.enter("2001:db8:1:2::1");
    limits.enter("2001:db8:1:2:ffff::2");
    expect(() => limits.enter("2001:db8:1:2::3")).toThrow(TOO_MANY);
    limits.enter("2001:db8:2::1");
  });

  it("counts the /64s of an IPv6 /48 together: 16 times as many, and never more than half of all", () => {
    const enterMany = (max: number) => {
      const limits = new AddressLimits({
        max,
        maxPerAddress: 2,
        full: () => unavailable("full"),
        addressFull: tooMany,
      });
      let count = 0;
      const next = () => limits.enter(`2001:db8:1:${(count++).toString(16)}::1`);
      const leaves: (() => void)[] = [];
      while (!limits.isAddressFull(`2001:db8:1:${count.toString(16)}::1`)) leaves.push(next());
      expect(next).toThrow(TOO_MANY);
      limits.enter("2001:db8:2::1");
      for (const leave of leaves) leave();
      next();
      return leaves.length;
    };
    expect(enterMany(100)).toBe(32);
    expect(enterMany(12)).toBe(6);
    expect(enterMany(3)).toBe(2);
  });
});
