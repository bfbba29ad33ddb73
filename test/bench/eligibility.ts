import { randomBytes, randomUUID } from "node:crypto";
import { deriveKeys } from "../../services/entities/base/derived-keys.ts";
import { migrateStore, openStore } from "../../services/entities/base/open-store.ts";
import type { EntitiesDatabase } from "../../services/entities/base/schema.ts";
import { decideSubject, NO_ANSWERS } from "../../services/entities/eligibility/decide.ts";
import { type EligibilitySubject, loadFacts } from "../../services/entities/eligibility/load-facts.ts";
import { emailKey, type MemberKey } from "../../services/entities/members/member.ts";
import { memberIds, rowOfMember, storeMembers } from "../../services/entities/members/members-store.ts";
import { writeRules } from "../../services/entities/rules/rules-store.ts";
import { storeEntity } from "../../services/entities/testing/sample-entity.ts";
import { GROUP_UUID, sampleGroup, sampleRules, sampleSale } from "../../services/entities/testing/sample-rules.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { mysqlOf } from "../support/databases/mysql-of.ts";
import { type BenchTable, median } from "./support/bench-table.ts";
import { amount } from "./support/quick.ts";

const FEW = 1_000;
const MANY = amount(1_000_000, 2_000);
const BATCH = 2_000;
const ROUNDS = amount(500, 10);
const WARM_UP_ROUNDS = amount(300, 1);
const MOST_RATIO = 1.2;

const keys = deriveKeys(randomBytes(32));

/** How the members of a sale are found. */
type Found = "e-mail" | "wallet";

/** A sale with members by e-mail and by wallet, half of each. */
interface ListedSale {
  readonly saleUuid: string;
  /** Returns somebody who asks for a permit: a member, a different one each time. */
  subject(round: number, found: Found): EligibilitySubject;
}

/**
 * Compares the decision whether a member gets a permit in a sale with a million members with the same decision in one with a thousand:
 * all facts from one durable MariaDB, one after the other, the sales alternating.
 */
export async function eligibilityBench(): Promise<BenchTable> {
  await using stack = new AsyncDisposableStack();
  const mariaDb = await startMariaDb({ durable: true, bufferPool: "4G" });
  stack.defer(() => mariaDb.stop());
  const database = await openStore({ mysql: mysqlOf(await mariaDb.createDatabase("entities")) });
  stack.defer(() => database.close());
  await migrateStore(database);
  const { uuid: entityUuid } = await storeEntity(database, {
    setupState: "complete",
    provider: "review",
    country: "DE",
  });
  const few = await listedSale(database, entityUuid, FEW);
  const many = await listedSale(database, entityUuid, MANY);
  const results = [];
  for (const found of ["e-mail", "wallet"] as const) results.push(await compare(database, [few, many], found));
  return {
    title:
      "The decision about a permit for a member of a sale, by the number of its members (durable MariaDB, 4 GB pool)",
    columns: ["member by", `µs with ${FEW.toLocaleString("en")}`, `µs with ${MANY.toLocaleString("en")}`, "ratio"],
    rows: results.map(({ cells }) => cells),
    notes: [`medians of ${ROUNDS.toLocaleString("en")} decisions, each about another member; all facts read anew`],
    required: results.map(({ ratio, cells }) => ({ name: `ratio by ${cells[0]}`, value: ratio, atMost: MOST_RATIO })),
  };
}

async function listedSale(database: EntitiesDatabase, entityUuid: string, members: number): Promise<ListedSale> {
  const saleUuid = randomUUID();
  const rules = sampleRules({ groups: [sampleGroup({ maxAmount: 1_000n })] });
  await database.write((transaction) => writeRules(transaction, saleUuid, { rules, expectedVersion: 0n }, 0n));
  for (let from = 0; from < members; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, members - from) }, (_, index) => rowOf(saleUuid, from + index));
    await database.write((transaction) => storeMembers(transaction, database.dialect, rows));
  }
  const entity = { entityUuid, publicUuid: randomUUID(), saleSpecificId: randomBytes(16) };
  const sale = sampleSale({ saleUuid });
  const subject = (round: number, found: Found) => {
    const index = 2 * ((round * 7_919) % (members / 2));
    const email = found === "e-mail" ? emailOf(index) : "nobody@example.com";
    return {
      sale,
      entity,
      email,
      wallet: { kind: "evm", bytes: walletOf(found === "wallet" ? index + 1 : -1) },
    } as const;
  };
  return { saleUuid, subject };
}

/** Members with an even number have an e-mail address, the others a wallet. */
function rowOf(saleUuid: string, index: number) {
  const key: MemberKey = index % 2 === 0 ? emailKey(emailOf(index)) : { kind: "wallet", value: walletOf(index) };
  const member = { groupUuid: GROUP_UUID, key };
  return rowOfMember(keys, saleUuid, memberIds(keys, saleUuid, member), member);
}

const emailOf = (index: number) => `member-${index}@example.com`;

function walletOf(index: number): Buffer {
  const bytes = Buffer.alloc(20, 0xee);
  bytes.writeInt32BE(index, 16);
  return bytes;
}

async function compare(database: EntitiesDatabase, sales: readonly [ListedSale, ListedSale], found: Found) {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    for (const [index, sale] of sales.entries()) {
      const micros = await decisionMicros(database, sale.subject(round, found));
      if (round >= WARM_UP_ROUNDS) times[index as 0 | 1].push(micros);
    }
  }
  const [few, many] = [median(times[0]), median(times[1])];
  const ratio = many / few;
  return { ratio, cells: [found, few.toFixed(0), many.toFixed(0), ratio.toFixed(3)] };
}

/** @throws Error if the member doesn't get the permit */
async function decisionMicros(database: EntitiesDatabase, subject: EligibilitySubject): Promise<number> {
  const began = performance.now();
  const context = { database, derivedKeys: keys, clock: () => 1_000n };
  const loading = { subjects: [subject], isLocking: false };
  const { facts: loaded } = await database.read((query) => loadFacts(context, query, loading));
  const [facts] = loaded;
  const decision = facts && decideSubject(facts, NO_ANSWERS);
  const micros = (performance.now() - began) * 1_000;
  if (decision?.kind !== "ready" || facts?.eligibility.members.length !== 1) throw new Error("a member was refused");
  return micros;
}
