import { startProcess } from "../../support/processes/child-process.ts";
import { amount } from "../support/quick.ts";
import type { Contestant } from "./contestant.ts";
import type { FlowSettings } from "./flow-driver.ts";
import { cpuPerOperation } from "./token-rounds.ts";

const BROWSERS = 8;
const SECONDS = amount(3, 1);
const DONE = /^\{"msg":"flows are done".*$/;

export interface FlowRound {
  readonly perSecond: number;
  readonly cpuMicros: ReadonlyMap<string, number>;
}

/** Measures whole flows (authorization, consent, code, tokens), driven by a separate process. */
export async function flowRound(contestant: Contestant): Promise<FlowRound> {
  const { authorizeUrl, tokenUrl } = contestant;
  const cookies = await contestant.browsers(BROWSERS);
  const settings: FlowSettings = { authorizeUrl, tokenUrl, cookies, seconds: SECONDS };
  let perSecond = 0;
  const cpuMicros = await cpuPerOperation(contestant, async () => {
    const args = ["test/bench/oauth/flow-driver.ts"];
    const driver = await startProcess({ command: process.execPath, args, env: { FLOWS: JSON.stringify(settings) } });
    const [line] = await driver.waitForLine(DONE);
    const { flows, seconds } = JSON.parse(line);
    perSecond = flows / seconds;
    return flows + BROWSERS;
  });
  return { perSecond, cpuMicros };
}
