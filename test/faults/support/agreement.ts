import { expect } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import { recordOf } from "../../../common/sale/record/commitment-message.ts";
import { bigintOf } from "../../../services/commitments/base/encoding.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import type { NaiveSale } from "../../support/chains/naive-sale.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { sumsFromRows, sumsStored } from "../../support/databases/tick-sums.ts";
import type { PersistentCaller } from "./persistent-caller.ts";
import { repeat, type SaleLedger } from "./sale-ledger.ts";

const PAGE_SIZE = 500;

/** The revision of the first apply; opening the sale made revision 2. */
const FIRST_APPLIED = 3n;

/**
 * Expects that rows, sums, figures, revisions and outbox contain exactly the acknowledged applies, that no reader saw anything
 * else, and that sending an acknowledged apply again changes nothing.
 */
export async function expectAgreement(
  ledger: SaleLedger,
  database: CommitmentsDatabase,
  caller: PersistentCaller,
): Promise<void> {
  await ledger.observe(caller);
  const sale = ledger.replay((revision, expected, seen) => {
    expect({ revision, ...seen }).toEqual({ revision, ...expected });
  });
  expect(await storedRecords(ledger, caller)).toEqual(sortedRecords(sale));
  expect(await sumsStored(database, ledger.saleUuid)).toEqual(await sumsFromRows(database, ledger.saleUuid));
  await expectRevisions(ledger, database);
  await expectUnchanged(database, ledger.saleUuid, () => repeatAll(ledger, caller));
}

/** Expects that each acknowledged apply made the next revision, and that each revision has a row in the outbox. */
async function expectRevisions(ledger: SaleLedger, database: CommitmentsDatabase): Promise<void> {
  const applied = ledger.entries.filter(({ visible }) => visible).map(({ revision }) => revision);
  expect(applied).toEqual(applied.map((_, index) => FIRST_APPLIED + BigInt(index)));
  expect(ledger.revisionsSeen.filter((revision) => revision >= FIRST_APPLIED && !applied.includes(revision))).toEqual(
    [],
  );
  const sale = bytesOfHex(ledger.saleUuid);
  const outbox = await database.query.selectFrom("outbox").select("revision").where("sale", "=", sale).execute();
  const announced = outbox.map(({ revision }) => bigintOf(revision)).toSorted((left, right) => Number(left - right));
  expect(announced).toEqual([2n, ...applied]);
  const state = database.query.selectFrom("sale_state").select("revision").where("sale", "=", sale);
  expect(bigintOf((await state.executeTakeFirstOrThrow()).revision)).toBe(applied.at(-1));
}

async function repeatAll(ledger: SaleLedger, caller: PersistentCaller): Promise<void> {
  for (const entry of ledger.entries) {
    const { revision, repeatedRequest } = await repeat(caller, entry);
    expect({ revision, repeatedRequest }).toEqual({ revision: entry.revision, repeatedRequest: true });
  }
}

/** Returns all rows of the sale, sorted by commitment ID. */
async function storedRecords({ saleUuid }: SaleLedger, caller: PersistentCaller): Promise<CommitmentRecord[]> {
  const records: CommitmentRecord[] = [];
  let pageToken = "";
  do {
    const request = { saleUuid, pageSize: PAGE_SIZE, pageToken };
    const page = await caller.call((client, options) => client.listCommitments(request, options));
    records.push(...page.commitments.flatMap(({ record }) => (record === undefined ? [] : recordOf(record))));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return records;
}

function sortedRecords(sale: NaiveSale): CommitmentRecord[] {
  return sale.records().toSorted((left, right) => (left.commitmentId < right.commitmentId ? -1 : 1));
}
