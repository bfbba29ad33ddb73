import { expect } from "vitest";
import type { CommitmentsDatabase } from "../../../services/commitments/store/sql/schema.ts";
import { sumsFromRows, sumsStored } from "../../support/tick-sums.ts";
import type { RestartableGateway } from "./restartable-gateway.ts";
import type { SaleLedger } from "./sale-ledger.ts";
import { figuresExpected, figuresPublic, type PublicFigures } from "./shown-figures.ts";
import type { StreamAudience } from "./stream-audience.ts";

/** For everything to be up to date once all is well again; only what hangs takes so long. */
export const SETTLED = { timeout: 5 * 60_000, interval: 200 };

/** By sale. */
export type Revisions = ReadonlyMap<string, bigint>;

/** Every gateway comes to answer with the last revision of each sale. */
export async function expectServed(
  gateways: readonly RestartableGateway[],
  lastRevisions: Revisions,
  over: AbortSignal,
): Promise<void> {
  for (const [saleUuid, last] of lastRevisions) {
    for (const gateway of gateways) {
      const revision = async () => {
        over.throwIfAborted();
        return BigInt((await gateway.get(saleUuid)).headers.get("etag")?.match(/-(\d+)"$/)?.[1] ?? 0);
      };
      await expect.poll(revision, SETTLED).toBe(last);
    }
  }
}

/** Every gateway answers with the figures that the applies of each sale add up to. */
export async function expectFigures(
  gateways: readonly RestartableGateway[],
  ledgers: readonly SaleLedger[],
): Promise<void> {
  for (const ledger of ledgers) {
    const expected = figuresExpected(ledger.replay(() => {}));
    for (const gateway of gateways) {
      const body = (await (await gateway.get(ledger.saleUuid)).json()) as PublicFigures;
      expect(figuresPublic(body)).toEqual(expected);
    }
  }
}

/** Every stream, each of which has gone on by itself, comes to the body that a gateway answers with. */
export async function expectShown(
  gateway: RestartableGateway,
  audience: StreamAudience,
  lastRevisions: Revisions,
  over: AbortSignal,
): Promise<void> {
  const behind = () => {
    over.throwIfAborted();
    return audience.behind(lastRevisions);
  };
  await expect.poll(behind, SETTLED).toEqual([]);
  for (const saleUuid of lastRevisions.keys()) {
    const served = await (await gateway.get(saleUuid)).json();
    for (const shown of audience.bodies(saleUuid)) expect(shown).toEqual(served);
  }
}

/** The sums that the services keep are those of the rows. */
export async function expectAddedUp(database: CommitmentsDatabase, saleUuids: Iterable<string>): Promise<void> {
  for (const saleUuid of saleUuids) {
    expect(await sumsStored(database, saleUuid)).toEqual(await sumsFromRows(database, saleUuid));
  }
}

/** The revisions of sales are those that were acknowledged, without a gap. */
export function expectGapless(ledgers: readonly SaleLedger[]): void {
  for (const { entries } of ledgers) {
    const revisions = entries.map(({ revision }) => revision);
    expect(revisions).toEqual(revisions.map((_, index) => BigInt(index) + 3n));
  }
}
