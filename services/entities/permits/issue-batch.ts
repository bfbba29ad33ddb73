import { setImmediate } from "node:timers/promises";
import type { Transaction } from "kysely";
import type { Permit } from "../../../common/chains/base/permit.ts";
import { encodePermit } from "../../../common/chains/permit-encoding.ts";
import { executeAndCommit } from "../../../common/platform/db/sql/statement-batch.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { ParticipationSubject } from "../eligibility/gather-facts.ts";
import { activeKeyOf, type PermitKey, permitEnd } from "../permit-keys/permit-key.ts";
import type { OpenKey, PermitSigner } from "../permit-keys/permit-signer.ts";
import { type BatchedBinding, bindStatements, isPlainBinding } from "./bind-batch.ts";
import { checkFacts, isDecidedHere } from "./check-batch.ts";
import { confirmedGrants, type PermitGrant } from "./confirmed-grants.ts";
import { distinctSubjects } from "./distinct.ts";
import { type BatchedFacts, type GatheredBatch, gatherBatch } from "./gather-batch.ts";
import { permitOf } from "./permit-of.ts";
import type { PermitResult } from "./permit-result.ts";
import { insertPermitsStatement, newPermitUuid, type PermitRecord } from "./permits-store.ts";
import { recordOf } from "./recordable.ts";
import { type RecordedSale, type RecordingDependencies, recordingTransaction } from "./recording-transaction.ts";

/** A permit that an application asks for. */
export interface WantedPermit {
  readonly subject: ParticipationSubject;
  readonly grant: PermitGrant;
  /** The answer of auth to this call, where `grant` is one from before. Absent where `grant` is the answer. */
  readonly granted?: Promise<PermitGrant>;
}

/**
 * `unseen`: the application sees no such entity. `alone`: it takes more than a batch does. `unconfirmed`: auth says something else
 * than before, or nothing while the sale was locked.
 */
export type BatchedResult = PermitResult | "unseen" | "alone" | "unconfirmed";

export interface IssuedBatch {
  /** In the order of the permits that were wanted. */
  readonly results: readonly BatchedResult[];
  /** If false, all results are `alone`, as long as the sale has members, proofs of presence or a screener. */
  readonly isDecidedHere: boolean;
}

export type IssuingDependencies = RecordingDependencies & Required<Pick<PermitSigner, "openKey">>;

/** A permit that may be issued, and isn't signed yet. */
interface MadePermit {
  readonly permit: Permit;
  readonly encoded: Uint8Array;
  readonly key: PermitKey;
  readonly record: PermitRecord;
  readonly binding: BatchedBinding;
}

/** Signatures for which other calls wait: at most 3 ms. */
const SIGNED_AT_ONCE = 8;

/**
 * Issues permits of one sale in one transaction: under the sale's lock it checks them, writes their rows, and signs them while the
 * database writes. A permit is given away only once the transaction has committed, so that there is nothing between its check
 * and its record.
 *
 * @throws ServiceError `unavailable`
 */
export async function issueBatch(
  dependencies: IssuingDependencies,
  saleUuid: string,
  wanted: readonly WantedPermit[],
): Promise<IssuedBatch> {
  return recordingTransaction<IssuedBatch>(dependencies, saleUuid, (transaction, recorded) =>
    issue(dependencies, transaction, recorded, wanted),
  );
}

async function issue(
  dependencies: IssuingDependencies,
  transaction: Transaction<EntitiesSchema>,
  { sale, confirm }: RecordedSale<IssuedBatch>,
  wanted: readonly WantedPermit[],
): Promise<void> {
  const { database, clock } = dependencies;
  const current = wanted.map((each) => ({ ...each, subject: { ...each.subject, sale } }));
  const distinct = distinctSubjects(current);
  const subjects = distinct.map(({ subject }) => subject);
  const locked = { saleUuid: sale.saleUuid, subjects, locks: "sale and entities" } as const;
  const gathered = await gatherBatch(transaction, { dialect: database.dialect, ...locked });
  const confirmed = await confirmedGrants(distinct);
  const nowMs = clock();
  const facts = gathered.at(nowMs);
  const judged = new Map(
    distinct.map((each, index) => [
      each,
      confirmed.has(each) ? judge(each, gathered, facts[index], nowMs) : ("unconfirmed" as const),
    ]),
  );
  const made = [...judged.values()].filter(isMade);
  const signatures = new Map<MadePermit, Uint8Array>();
  const recording = {
    permitUuids: made.map(({ record }) => record.uuid),
    result: () => ({
      results: current.map((each) => resultOf(judged.get(each) ?? "alone", signatures)),
      isDecidedHere: isDecidedHere(gathered),
    }),
  };
  const [first] = made;
  if (first === undefined) return confirm(recording);
  // Before it is confirmed: the first key of a process loads what signs, which takes a while.
  const key = await dependencies.openKey(first.key);
  try {
    confirm(recording);
    await writeAndSign(dependencies, transaction, made, { key, signatures, nowMs });
  } finally {
    key.close();
  }
}

function judge(
  { subject, grant: { accountUuid, clientUuid } }: WantedPermit,
  gathered: GatheredBatch,
  facts: BatchedFacts | undefined,
  nowMs: bigint,
): MadePermit | BatchedResult {
  if (facts?.accountUuid !== accountUuid || facts.hiddenFrom.has(clientUuid)) return "unseen";
  // The sale is of another chain than when the wallet was parsed.
  if (subject.sale.kind !== subject.wallet.kind) return "alone";
  const checked = checkFacts(gathered, facts, nowMs);
  // No bids are known here, so no wallet is released.
  const isPlain = isPlainBinding(facts.binding, { kind: "allowed", releases: [] });
  if (checked === "alone" || !isPlain) return "alone";
  const { decision } = checked;
  if (decision.kind === "refused") return { refused: decision.reason };
  const key = activeKeyOf(gathered.keys, subject.sale);
  if (key === undefined) return { refused: "sale-not-active" };
  if (key.remote) return "alone";
  const expiresAt = permitEnd(nowMs);
  const permit = permitOf(subject, decision, expiresAt);
  const record = recordOf({ uuid: newPermitUuid(nowMs), subject, clientUuid, key, expiresAt }, decision, permit, nowMs);
  const { saleUuid } = subject.sale;
  const binding = { facts: facts.binding, saleUuid, permitExpiresAtMs: expiresAt * 1_000n };
  return { permit, encoded: encodePermit(subject.wallet.kind, permit), key, record, binding };
}

function isMade(result: MadePermit | BatchedResult): result is MadePermit {
  return typeof result === "object" && "record" in result;
}

/** Returns the result of a permit that was made, with its signature, and any other result as it is. */
function resultOf(result: MadePermit | BatchedResult, signatures: ReadonlyMap<MadePermit, Uint8Array>): BatchedResult {
  if (!isMade(result)) return result;
  const signature = signatures.get(result);
  if (signature === undefined) throw new TypeError("a signature is missing");
  return { permit: result.permit, wallet: result.record.wallet, signature };
}

/** The signatures of permits. */
type Signatures = Map<MadePermit, Uint8Array>;

interface Signing {
  readonly key: OpenKey;
  readonly signatures: Signatures;
  readonly nowMs: bigint;
}

/** Writes the rows of permits and commits. Meanwhile it signs them, also if the answer to the commit is lost. */
async function writeAndSign(
  { database: { dialect } }: Pick<IssuingDependencies, "database">,
  transaction: Transaction<EntitiesSchema>,
  made: readonly MadePermit[],
  { key, signatures, nowMs }: Signing,
): Promise<void> {
  const bindings = made.map(({ binding }) => binding);
  const records = made.map(({ record }) => record);
  const statements = [...bindStatements(dialect, bindings, nowMs), insertPermitsStatement(dialect, records)];
  const writing = executeAndCommit(transaction, dialect, statements);
  const outcomes = await Promise.allSettled([writing, signAll(key, made, signatures)]);
  const failed = outcomes.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

async function signAll(key: OpenKey, made: readonly MadePermit[], signatures: Signatures): Promise<void> {
  for (const [index, each] of made.entries()) {
    // The first time the statements are sent before.
    if (index % SIGNED_AT_ONCE === 0) await setImmediate();
    signatures.set(each, key.sign(each.encoded));
  }
}
