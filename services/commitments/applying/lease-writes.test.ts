import { describe, expect, it } from "vitest";
import { type InTurn, writeSideBySide } from "./lease-writes.ts";

type Renewal = "renewed" | "lost" | "locked";

const free = async (): Promise<Renewal> => "renewed";
const locked = async (): Promise<Renewal> => "locked";

/** Writes leases whose rows answer as given, once it is their turn. */
async function renewed(rows: Readonly<Record<string, () => Promise<Renewal>>>, signal: AbortSignal) {
  const prolong = (lease: string, inTurn: InTurn) => inTurn(rows[lease] ?? locked);
  return Object.fromEntries(await writeSideBySide(Object.keys(rows), prolong, signal));
}

describe("leases that are written side by side", () => {
  it("have their outcomes where some rows are never free, however many, and others fail in whatever way", async () => {
    const limit = new AbortController();
    let tries = 0;
    const neverFree = async (): Promise<Renewal> => {
      // A second round: the others have their outcomes.
      if (++tries > 40) limit.abort();
      return "locked";
    };
    const names = Array.from({ length: 30 }, (_, index) => `locked ${index}`);
    const rows: Record<string, () => Promise<Renewal>> = Object.fromEntries(names.map((name) => [name, neverFree]));
    rows["failing"] = () => Promise.reject(new Error("unexpected"));
    rows["lost"] = async () => "lost";
    expect(await renewed({ ...rows, last: free }, limit.signal)).toEqual({ lost: "lost", last: "renewed" });
  });

  it("are tried again until their rows are free", async () => {
    let tries = 0;
    const later = async (): Promise<Renewal> => (++tries < 3 ? "locked" : "renewed");
    expect(await renewed({ later }, new AbortController().signal)).toEqual({ later: "renewed" });
  });

  it("don't wait for one that waits for its turn in this process", async () => {
    const limit = new AbortController();
    const waiting = Array.from({ length: 9 }, (_, index) => `waiting ${index}`);
    const prolong = async (lease: string, inTurn: InTurn) => {
      if (lease !== "free") return new Promise<Renewal>(() => undefined);
      const outcome = await inTurn(free);
      setImmediate(() => limit.abort());
      return outcome;
    };
    const outcomes = await writeSideBySide([...waiting, "free"], prolong, limit.signal);
    expect([...outcomes]).toEqual([["free", "renewed"]]);
  });
});
