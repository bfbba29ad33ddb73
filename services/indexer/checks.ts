import type { Probe } from "../../common/platform/checks/run-probes.ts";
import { settingsProbe } from "../../common/platform/checks/settings-probe.ts";
import type { Env } from "../../common/platform/config/env.ts";
import { indexerSettings } from "./settings.ts";

/** Returns the checks of what the indexer needs. */
export function indexerChecks(env: Env): readonly Probe[] {
  return [settingsProbe(() => indexerSettings(env))];
}
