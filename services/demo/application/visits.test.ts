import { describe, expect, it } from "vitest";
import { addStep, type Visit, Visits } from "./visits.ts";

const newVisit = (): Visit => ({ steps: [] });

describe("visits", () => {
  it("are found by their secret, until they are removed", () => {
    const visits = new Visits();
    const visit = newVisit();
    const id = visits.add(visit);
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(visits.find(id)).toBe(visit);
    visits.remove(id);
    expect([visits.find(id), visits.find(undefined), visits.find("")]).toEqual([undefined, undefined, undefined]);
  });

  it("are at most 100: the least recently used one makes room", () => {
    const visits = new Visits();
    const ids = Array.from({ length: 100 }, () => visits.add(newVisit()));
    visits.find(ids[0]);
    visits.add(newVisit());
    expect(visits.find(ids[0])).toBeDefined();
    expect(visits.find(ids[1])).toBeUndefined();
  });

  it("keep the first two steps and the latest ones, twelve in all", () => {
    const visit = newVisit();
    for (let step = 0; step < 20; step++) addStep(visit, { title: `${step}`, calls: [] });
    expect(visit.steps.map(({ title }) => title)).toEqual([
      "0",
      "1",
      ...Array.from({ length: 10 }, (_, i) => `${10 + i}`),
    ]);
  });
});
