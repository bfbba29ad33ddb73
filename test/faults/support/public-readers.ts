import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../services/demo/bidders/random.ts";
import { fork } from "./fault-injector.ts";
import { answered } from "./gateway-answer.ts";
import { persist } from "./persist.ts";
import type { RestartableGateway } from "./restartable-gateway.ts";
import type { Task } from "./run-until-done.ts";

const LONGEST_PAUSE_MS = 40;
const REVISION = /-(\d+)"$/;

/** Readers of the public figures of sales. Fails if a gateway ever answers with an older revision than before. */
export class PublicReaders {
  reads = 0;
  readonly tasks: readonly Task[];

  constructor(
    gateways: readonly RestartableGateway[],
    sales: readonly { readonly saleUuid: string }[],
    random: Random,
  ) {
    this.tasks = gateways.map((gateway) => {
      const choice = fork(random);
      const seen = new Map<string, bigint>();
      return async (over) => {
        while (!over.aborted) {
          const saleUuid = choice.pick(sales)?.saleUuid ?? "";
          const { result } = await persist(() => read(gateway, saleUuid));
          const before = seen.get(saleUuid) ?? 0n;
          if (result < before) throw new Error(`a read of ${saleUuid} went from revision ${before} to ${result}`);
          seen.set(saleUuid, result);
          this.reads += 1;
          await delay(choice.integer(0, LONGEST_PAUSE_MS));
        }
      };
    });
  }
}

/** Reads a whole response. @returns its revision */
async function read(gateway: RestartableGateway, saleUuid: string): Promise<bigint> {
  const answer = answered(await gateway.get(saleUuid));
  await answer.json();
  const [, revision] = REVISION.exec(answer.headers.get("etag") ?? "") ?? [];
  if (revision === undefined) throw new TypeError(`a public read was answered by ${answer.status} without a revision`);
  return BigInt(revision);
}
