import { describe, expect, it } from "vitest";
import { checkRecentSignIn } from "../../../common/platform/rpc/identity/recent-sign-in.ts";
import { isLive, needsTouch, type Session } from "./session.ts";

const MINUTE = 60_000n;
const session: Session = {
  uuid: "11111111-1111-4111-8111-111111111111",
  accountUuid: "22222222-2222-4222-8222-222222222222",
  email: "name@example.com",
  createdAtMs: 0n,
  authenticatedAtMs: 0n,
  authenticatedBy: "code",
  lastSeenAtMs: 0n,
  expiresAtMs: 14n * 24n * 60n * MINUTE,
  userAgent: "",
};

describe("a session", () => {
  it("ends after 12 hours without use", () => {
    expect(isLive(session, 12n * 60n * MINUTE - 1n)).toBe(true);
    expect(isLive(session, 12n * 60n * MINUTE)).toBe(false);
  });

  it("ends after 14 days, however much it is used", () => {
    const used = (atMs: bigint) => ({ ...session, lastSeenAtMs: atMs });
    expect(isLive(used(session.expiresAtMs - 1n), session.expiresAtMs - 1n)).toBe(true);
    expect(isLive(used(session.expiresAtMs), session.expiresAtMs)).toBe(false);
  });

  it("has its last use stored once a minute", () => {
    expect(needsTouch(session, MINUTE - 1n)).toBe(false);
    expect(needsTouch(session, MINUTE)).toBe(true);
  });

  it("has a recent sign-in for 10 minutes", () => {
    expect(() => checkRecentSignIn(session, 10n * MINUTE)).not.toThrow();
    expect(() => checkRecentSignIn(session, 10n * MINUTE + 1n)).toThrow(
      expect.objectContaining({ code: "failed_precondition" }),
    );
  });
});
