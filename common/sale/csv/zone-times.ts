/** A name of the IANA time zone database. Offsets such as `+01:00`, which JavaScript also takes, aren't names. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+\-/]{1,63}$/;
/** `GMT`, `GMT+05:30` or `GMT-00:44:30`. */
const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;
/** Clocks change at multiples of this only. */
const QUARTER_S = 900;
const MAX_CACHED = 10_000;
/** The last second of the year 9999. */
const LAST_S = 253_402_300_799;

/** A time as the clocks of a zone show it. */
export interface ZoneTime {
  /** Such as `2026-01-31 13:00:00`. */
  readonly local: string;
  /** Ahead of UTC, such as `+01:00`: the hour that clocks repeat in autumn is known by it. */
  readonly offset: string;
}

/** Whether there is a time zone of a name. */
export function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    return offsetFormat(name).format(0) !== "";
  } catch {
    return false;
  }
}

/** The clocks of a time zone. */
export class ZoneTimes {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat;
  /** Offsets in seconds by the quarter of an hour, since the formatting of a time takes longer than all the rest of its row. */
  readonly #offsets = new Map<number, number>();

  /** @param zone a name for which `isTimeZone` is true */
  constructor(zone: string) {
    this.zone = zone;
    this.#format = offsetFormat(zone);
  }

  /** @param seconds since 1970, up to the end of the year 9999, beyond which no clock goes */
  at(seconds: number): ZoneTime {
    const offset = this.#offsetAt(seconds);
    const local = new Date(Math.min(seconds + offset, LAST_S) * 1_000).toISOString().slice(0, 19).replace("T", " ");
    return { local, offset: offsetText(offset) };
  }

  #offsetAt(seconds: number): number {
    const quarter = Math.floor(seconds / QUARTER_S);
    const cached = this.#offsets.get(quarter);
    if (cached !== undefined) return cached;
    if (this.#offsets.size >= MAX_CACHED) this.#offsets.clear();
    const offset = this.#readOffset(quarter * QUARTER_S);
    this.#offsets.set(quarter, offset);
    return offset;
  }

  #readOffset(seconds: number): number {
    const name = this.#format.formatToParts(seconds * 1_000).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours = "0", minutes = "0", rest = "0"] = OFFSET.exec(name) ?? [];
    const size = Number(hours) * 3_600 + Number(minutes) * 60 + Number(rest);
    return sign === "-" ? -size : size;
  }
}

function offsetFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
}

function offsetText(offset: number): string {
  const size = Math.abs(offset);
  const [hours, minutes, rest] = [Math.floor(size / 3_600), Math.floor(size / 60) % 60, size % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(hours)}:${two(minutes)}${rest === 0 ? "" : `:${two(rest)}`}`;
}
