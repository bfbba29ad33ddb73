import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openRefusal, sealRefusal } from "../web/sessions/sealed-refusal.ts";
import type { EntityChoice } from "./entity-choice.ts";
import { keepEntities, keepScopes, keptAnswer, keptValues } from "./kept-answer.ts";

const STEP = { id: "step", page: "/oauth/authorize", secret: "secret" };
const UUIDS = Array.from({ length: 40 }, () => randomUUID());
const SCOPES = ["openid", "email", "profile"].map((scope) => ({ scope, granted: true }));

/** Boxes as the page shows them again after the answer has failed. @param count of entities, of which some are unticked */
function shownAgain(count: number, unticked: ReadonlySet<string>, scopes: readonly string[]) {
  const fields: Readonly<Record<string, readonly string[]>> = {
    scope: scopes,
    listed: UUIDS.slice(0, count),
    entity: UUIDS.slice(0, count).filter((uuid) => !unticked.has(uuid)),
  };
  const values = keptValues({ all: (name) => [...(fields[name] ?? [])] });
  const refusal = openRefusal(STEP, sealRefusal(STEP, { problem: "a", values }, 1), 0);
  const kept = keptAnswer(refusal?.values ?? {});
  const stored = { kind: "listed", entities: UUIDS.map((uuid) => ({ uuid })), hidden: new Set([UUIDS[39]]) };
  const choice = keepEntities(stored as unknown as EntityChoice, kept);
  const granted = keepScopes(SCOPES, kept).filter((scope) => scope.granted);
  return { hidden: "hidden" in choice ? [...choice.hidden] : [], scopes: granted.map(({ scope }) => scope) };
}

describe("the boxes of an answer that failed", () => {
  it.each([0, 1, 20])("are shown as they were, of %i entities", (count) => {
    for (const unticked of [new Set<string>(), new Set(UUIDS.slice(0, 1)), new Set(UUIDS)]) {
      const own = UUIDS.slice(0, count).filter((uuid) => unticked.has(uuid));
      expect(shownAgain(count, unticked, ["openid"])).toEqual({ hidden: [...own, UUIDS[39]], scopes: ["openid"] });
    }
    expect(shownAgain(count, new Set(), []).scopes).toEqual([]);
  });

  it("are shown as they are stored where they were too many to keep, and after a form without boxes", () => {
    for (const unticked of [new Set<string>(), new Set(UUIDS)]) {
      expect(shownAgain(40, unticked, ["openid"])).toEqual({ hidden: [UUIDS[39]], scopes: ["openid"] });
    }
    expect(keepScopes(SCOPES, keptAnswer({}))).toEqual(SCOPES);
  });
});
