import { expect, it } from "vitest";
import { UsageError } from "../base/cli-error.ts";
import { utcSeconds } from "./utc-seconds.ts";

it("reads a time in UTC", () => {
  expect(utcSeconds("opens", "2027-01-15T08:00:00Z")).toBe(1_800_000_000n);
  expect(utcSeconds("opens", "1970-01-01T00:00:00Z")).toBe(0n);
  expect(utcSeconds("opens", "9999-12-31T23:59:59Z")).toBe(253_402_300_799n);
});

it.each(["", "tomorrow", "2027-01-15", "2027-01-15T08:00:00", "2027-02-30T08:00:00Z", "1969-12-31T23:59:59Z", "2h"])(
  "refuses %j by the option's name",
  (text) => {
    expect(() => utcSeconds("opens", text)).toThrow(UsageError);
    expect(() => utcSeconds("opens", text)).toThrow("--opens");
  },
);
