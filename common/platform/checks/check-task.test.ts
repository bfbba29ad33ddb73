import { expect, it } from "vitest";
import { findingsOf } from "./check-task.ts";
import { ok, warning } from "./finding.ts";

/** Checks that find a warning as often as given, and then that all is well. */
function warningTimes(times: number) {
  let runs = 0;
  const probes = () => [
    {
      subject: "network",
      run: async () => {
        runs += 1;
        return [runs <= times ? warning("nobody there", "start it") : ok("answers")];
      },
    },
  ];
  return { probes, runs: () => runs };
}

it.each([
  [0, true, 1, "ok"],
  [1, true, 2, "ok"],
  [2, true, 2, "warning"],
  [1, false, 1, "warning"],
] as const)(
  "with %d warnings and retries %s, all is asked %d times and the last answer counts: %s",
  async (warnings, retries, runs, level) => {
    const asked = warningTimes(warnings);
    expect(await findingsOf(asked.probes, retries, 0)).toMatchObject([{ subject: "network", level }]);
    expect(asked.runs()).toBe(runs);
  },
);
