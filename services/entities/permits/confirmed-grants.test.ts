import { afterEach, describe, expect, it, vi } from "vitest";
import { confirmedGrants, type PermitGrant } from "./confirmed-grants.ts";

const GRANT: PermitGrant = { accountUuid: "a", clientUuid: "c", saleUuid: "s", email: "a@example.com" };
const begun = (granted?: Promise<PermitGrant>) => ({ grant: GRANT, ...(granted && { granted }) });

describe("confirmedGrants", () => {
  afterEach(() => void vi.useRealTimers());

  it("has those about which auth says the same again, and those that weren't begun before it answered", async () => {
    const same = [begun(), begun(Promise.resolve({ ...GRANT }))];
    const refused = begun(Promise.reject(new Error("revoked")));
    expect(await confirmedGrants([...same, refused])).toEqual(new Set(same));
    expect(await confirmedGrants([])).toEqual(new Set());
  });

  it.each(["accountUuid", "clientUuid", "saleUuid", "email"] as const)("has none whose %s differs", async (field) => {
    expect(await confirmedGrants([begun(Promise.resolve({ ...GRANT, [field]: "other" }))])).toEqual(new Set());
  });

  it("waits for auth for a while, and not for those that it answers later", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const [late, answer] = [Promise.withResolvers<PermitGrant>(), Promise.withResolvers<PermitGrant>()];
    const [first, second] = [begun(answer.promise), begun(late.promise)];
    const confirmed = confirmedGrants([first, second]);
    answer.resolve(GRANT);
    await vi.advanceTimersByTimeAsync(20);
    expect(await confirmed).toEqual(new Set([first]));
    late.resolve(GRANT);
    await late.promise;
    expect(await confirmed).toEqual(new Set([first]));
  });
});
