import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import { expect, it } from "vitest";
import type { ChangingContext } from "../changing/commitments-store.ts";
import { renewSaleLeasesRpc } from "./renew-sale-leases-rpc.ts";

/** A database that writes the row of each sale as given. */
function renewing(writes: Readonly<Record<string, () => Promise<{ readonly numUpdatedRows: bigint }>>>) {
  const query = new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const database = { query, dialect: { nowMillis: sql`0` }, runExclusive: (uuid: string) => writes[uuid]?.() };
  const renew = renewSaleLeasesRpc({ store: { database } } as unknown as ChangingContext) as (
    request: object,
  ) => Promise<object>;
  const leases = Object.keys(writes).map((saleUuid) => ({ saleUuid, epoch: 1n }));
  return renew({ holder: "reader-1", duration: { seconds: 1n, nanos: 0 }, leases });
}

const renewed = async () => ({ numUpdatedRows: 1n });
const lost = async () => ({ numUpdatedRows: 0n });

it("answers about all other leases where a row is never free, or its write fails in whatever way", async () => {
  const stuck = () => new Promise<never>(() => undefined);
  const failing = () => Promise.reject(new Error("unexpected"));
  const answer = await renewing({ aa: renewed, bb: stuck, cc: failing, dd: lost, ee: renewed });
  expect(answer).toEqual({ renewed: ["aa", "ee"], lost: ["dd"] });
});
