import { describe, expect, it } from "vitest";
import { RECOVERY_OPEN_MS, RECOVERY_WAIT_MS } from "../base/lifetimes.ts";
import { afterNotice, dueNotice, newRecovery, recoveryState } from "./recovery.ts";

const HOUR_MS = 3_600_000n;
const BEGUN_MS = 1_000_000n;
const recovery = newRecovery({ uuid: "r", accountUuid: "a", language: "de", byOperator: false }, BEGUN_MS);
const at = (hours: bigint) => BEGUN_MS + hours * HOUR_MS;

describe("recoveryState", () => {
  it("waits 72 hours, then can be completed for 7 days", () => {
    expect([RECOVERY_WAIT_MS, RECOVERY_OPEN_MS]).toEqual([72n * HOUR_MS, 168n * HOUR_MS]);
    const states = [0n, 1n].flatMap((late) => [
      recoveryState(recovery, BEGUN_MS + RECOVERY_WAIT_MS - 1n + late),
      recoveryState(recovery, BEGUN_MS + RECOVERY_WAIT_MS + RECOVERY_OPEN_MS - 1n + late),
    ]);
    expect(states).toEqual(["waiting", "ready", "ready", "expired"]);
  });

  it("waits longer, never less, where the clock is set back", () => {
    expect(recoveryState(recovery, BEGUN_MS - 1_000n * HOUR_MS)).toBe("waiting");
  });
});

describe("dueNotice", () => {
  it.each([
    [0, 0n, "begun"],
    [1, 47n, undefined],
    [1, 48n, "reminder"],
    [2, 71n, undefined],
    [2, 72n, "ready"],
    [3, 239n, undefined],
    [3, 240n, "expired"],
    [4, 999n, undefined],
  ] as const)("after %i notices and %i hours is %s", (sent, hours, notice) => {
    expect(dueNotice(recovery, sent, at(hours))).toBe(notice);
  });

  it("skips all but the last after a time without mails, but never the first one", () => {
    expect(dueNotice(recovery, 0, at(80n))).toBe("begun");
    expect(dueNotice(recovery, 1, at(80n))).toBe("ready");
    expect(dueNotice(recovery, 1, at(300n))).toBe("expired");
  });
});

describe("afterNotice", () => {
  it("says when the next one is due", () => {
    expect(afterNotice(recovery, "begun")).toEqual({ sent: 1, dueAtMs: at(48n) });
    expect(afterNotice(recovery, "reminder")).toEqual({ sent: 2, dueAtMs: at(72n) });
    expect(afterNotice(recovery, "ready")).toEqual({ sent: 3, dueAtMs: at(240n) });
    expect(afterNotice(recovery, "expired").sent).toBe(4);
  });
});
