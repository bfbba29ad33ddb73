import { expect, it } from "vitest";
import { Reruns } from "./reruns.ts";

it("allows two files in all under CI, whichever parts ask", () => {
  const reruns = Reruns.fromEnvironment({ CI: "true" });
  expect([reruns.take(1), reruns.take(2), reruns.take(1), reruns.take(1)]).toEqual([true, false, true, false]);
});

it.each([{}, { CI: "" }, { CI: "1" }])("allows none elsewhere: %j", (env) => {
  expect(Reruns.fromEnvironment(env).take(1)).toBe(false);
});
