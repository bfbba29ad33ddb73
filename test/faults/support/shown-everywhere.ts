import { expect } from "vitest";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import { sumsFromRows, sumsStored } from "../../support/databases/tick-sums.ts";
import type { RestartableGateway } from "./restartable-gateway.ts";
import type { SaleLedger } from "./sale-ledger.ts";
import { figuresExpected, figuresPublic, type PublicFigures } from "./shown-figures.ts";
import type { StreamAudience } from "./stream-audience.ts";

/** Time within which everything must be up to date after the last fault. Only a process that hangs takes so long. */
export const SETTLED = { timeout: 5 * 60_000, interval: 200 };

/** Revisions by sale. */
export type Revisions = ReadonlyMap<string, bigint>;

/** Waits until every gateway answers with the last revision of each sale. */
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

/** Expects that every gateway answers with the figures that follow from the applies of each sale. */
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

/** Waits until every follower of a stream has the body with which a gateway answers. */
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

/** Expects that the stored sums equal the sums of the rows. */
export async function expectAddedUp(database: CommitmentsDatabase, saleUuids: Iterable<string>): Promise<void> {
  for (const saleUuid of saleUuids) {
    expect(await sumsStored(database, saleUuid)).toEqual(await sumsFromRows(database, saleUuid));
  }
}

/** Expects that the acknowledged revisions of each sale have no gap. */
export function expectGapless(ledgers: readonly SaleLedger[]): void {
  for (const { entries } of ledgers) {
    const revisions = entries.map(({ revision }) => revision);
    expect(revisions).toEqual(revisions.map((_, index) => BigInt(index) + 3n));
  }
}
