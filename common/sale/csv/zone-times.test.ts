import { expect, it } from "vitest";
import { isTimeZone, ZoneTimes } from "./zone-times.ts";

const at = (zone: string, time: string) => {
  const { local, offset } = new ZoneTimes(zone).at(Date.parse(time) / 1_000);
  return `${local} ${offset}`;
};

it("shows what clocks show, in summer and winter, ahead of UTC and behind", () => {
  expect(at("UTC", "2026-01-31T12:00:00Z")).toBe("2026-01-31 12:00:00 +00:00");
  expect(at("Europe/Berlin", "2026-01-31T12:00:00Z")).toBe("2026-01-31 13:00:00 +01:00");
  expect(at("Europe/Berlin", "2026-07-31T22:59:59Z")).toBe("2026-08-01 00:59:59 +02:00");
  expect(at("Asia/Kathmandu", "2026-01-31T12:00:00Z")).toBe("2026-01-31 17:45:00 +05:45");
  expect(at("America/St_Johns", "2026-01-01T00:00:00Z")).toBe("2025-12-31 20:30:00 -03:30");
  expect(at("Asia/Tokyo", "9999-12-31T23:59:59Z")).toBe("9999-12-31 23:59:59 +09:00");
  expect(at("Africa/Monrovia", "1971-01-01T00:44:30Z")).toBe("1971-01-01 00:00:00 -00:44:30");
});

it("tells the two hours apart that clocks show twice in autumn", () => {
  const berlin = new ZoneTimes("Europe/Berlin");
  const before = Date.parse("2026-10-25T00:30:00Z") / 1_000;
  expect([before, before + 3_600].map((seconds) => berlin.at(seconds))).toEqual([
    { local: "2026-10-25 02:30:00", offset: "+02:00" },
    { local: "2026-10-25 02:30:00", offset: "+01:00" },
  ]);
});

it("agrees with the clocks of JavaScript at each quarter of an hour around changes", () => {
  for (const zone of ["Europe/London", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia"]) {
    const times = new ZoneTimes(zone);
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
    for (const start of ["2011-12-29", "2018-02-17", "2026-03-28", "2026-04-04", "2026-10-03", "2026-10-24"]) {
      const first = Date.parse(`${start}T00:00:00Z`) / 1_000;
      for (let seconds = first; seconds < first + 2 * 86_400; seconds += 900) {
        expect(times.at(seconds).local).toBe(format.format(seconds * 1_000));
      }
    }
  }
});

it("knows zones by their names only", () => {
  for (const zone of ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"]) {
    expect(isTimeZone(zone)).toBe(true);
  }
  for (const zone of ["", "+01:00", "Europe/Atlantis", "=1+1", "Europe/Berlin\r\n", "a".repeat(70)]) {
    expect(isTimeZone(zone)).toBe(false);
  }
});
