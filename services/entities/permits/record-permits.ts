import { setImmediate } from "node:timers/promises";
import type { CompiledQuery, Transaction } from "kysely";
import type { Permit } from "../../../common/chains/base/permit.ts";
import { type Wallet, walletKey } from "../../../common/chains/wallet.ts";
import { executeAndCommit, executeBatch } from "../../../common/platform/db/sql/statement-batch.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { OpenKey } from "../base/permit-signer.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { refused } from "../eligibility/decide.ts";
import { loadFacts } from "../eligibility/load-facts.ts";
import { bindMembers } from "../members/matching-members-store.ts";
import { bindStatements, changeBindings, type NewBinding } from "../wallets/bindings-store.ts";
import {
  decidePermits,
  encodedOf,
  type PermitDecision,
  type RequestedPermit,
  type UnsignedPermit,
} from "./decide-permit.ts";
import { insertPermitsStatement } from "./permits-store.ts";
import { type RecordedSale, recordingTransaction } from "./recording-transaction.ts";

/** The part of the context that recording permits needs. */
export type RecordPermitsContext = Pick<
  EntitiesContext,
  "database" | "clock" | "derivedKeys" | "recentSales" | "permitSigner"
>;

/** A permit as its wallet uses it. */
export interface IssuedPermit {
  readonly kind: "issued";
  readonly permit: Permit;
  readonly wallet: Wallet;
  /** 65 bytes, r, s and v; on Solana 64 bytes. */
  readonly signature: Uint8Array;
}

export type PermitOutcome = IssuedPermit | Exclude<PermitDecision, UnsignedPermit>;

/** Signatures for which other calls wait: at most 3 ms. */
const SIGNED_AT_ONCE = 8;

/**
 * Decides about permits of one sale under the sale's lock, and binds, records and signs those that may be issued, all in one
 * transaction. Nothing is returned before it has committed.
 *
 * @returns an outcome for each, in their order
 * @throws ServiceError `unavailable`
 */
export async function recordPermits(
  context: RecordPermitsContext,
  saleUuid: string,
  requested: readonly RequestedPermit[],
): Promise<readonly PermitOutcome[]> {
  if (requested.length === 0) return [];
  return recordingTransaction<readonly PermitOutcome[]>(context, saleUuid, (transaction, recorded) =>
    record(context, transaction, recorded, requested),
  );
}

async function record(
  context: RecordPermitsContext,
  transaction: Transaction<EntitiesSchema>,
  { sale, confirm }: RecordedSale<readonly PermitOutcome[]>,
  requested: readonly RequestedPermit[],
): Promise<void> {
  const current = requested.map((each) => ({ ...each, subject: { ...each.subject, sale } }));
  const { decisions, statements } = await decideAndBind(context, transaction, current);
  const ready = [...decisions.values()].filter((decision) => decision.kind === "ready");
  const signatures: Signatures = new Map();
  const recording = {
    permitUuids: ready.map(({ record: { uuid } }) => uuid),
    result: () => current.map((each) => outcomeOf(decisions.get(each), signatures)),
  };
  const [first] = ready;
  if (first === undefined) return confirm(recording);
  // Before it is confirmed: the first key of a process loads what signs, which takes a while.
  const key = first.signature === undefined ? await context.permitSigner.openKey(first.key) : undefined;
  try {
    confirm(recording);
    const { dialect } = context.database;
    const insertion = insertPermitsStatement(
      dialect,
      ready.map((permit) => permit.record),
    );
    const committing = executeAndCommit(transaction, dialect, [...statements, insertion]);
    await bothDone(committing, signAll(key, ready, signatures));
  } finally {
    key?.close();
  }
}

/**
 * Decides about permits and binds their wallets and members, as if they came one after another: those that nothing connects in
 * one round, and the others in the next ones, by what the rounds before have left.
 *
 * @returns the decisions, and the statements of the last round
 */
async function decideAndBind(
  context: RecordPermitsContext,
  transaction: Transaction<EntitiesSchema>,
  requested: readonly RequestedPermit[],
) {
  const { dialect } = context.database;
  const decisions = new Map<RequestedPermit, PermitDecision>();
  let statements: readonly CompiledQuery[] = [];
  for (let waiting = requested; waiting.length > 0; ) {
    await executeBatch(transaction, dialect, statements);
    const subjects = waiting.map(({ subject }) => subject);
    const decided = decidePermits(waiting, await loadFacts(context, transaction, { subjects, isLocking: true }));
    const independent = independentPermits(decided);
    const later: RequestedPermit[] = [];
    const bindings: NewBinding[] = [];
    for (const [index, each] of waiting.entries()) {
      const decision = decided[index];
      if (decision?.kind !== "ready") decisions.set(each, decision ?? { kind: "notFound" });
      else if (!independent.has(decision)) later.push(each);
      else if (await bind(transaction, decision)) {
        decisions.set(each, decision);
        bindings.push(newBinding(decision));
      } else decisions.set(each, refused("wallet-not-linked"));
    }
    statements = bindStatements(dialect, bindings);
    waiting = later;
  }
  return { decisions, statements };
}

/** Binds what concerns others: a wallet of another entity, and members. @returns false if the other one keeps the wallet */
async function bind(transaction: Transaction<EntitiesSchema>, permit: UnsignedPermit): Promise<boolean> {
  const { saleUuid, entityUuid } = permit.record;
  if (!(await changeBindings(transaction, newBinding(permit)))) return false;
  await bindMembers(transaction, saleUuid, entityUuid, permit.decision.memberKeys);
  return true;
}

function newBinding({ record, binding, decision, chainId }: UnsignedPermit): NewBinding {
  const { saleUuid, entityUuid, wallet, issuedAtMs, expiresAtMs } = record;
  return {
    ...{ saleUuid, entityUuid, wallet, boundAtMs: issuedAtMs, permitExpiresAtMs: expiresAtMs },
    chainId,
    isProved: binding.isLinked,
    isContracts: decision.isContracts,
    holder: binding.binding?.entityUuid,
    releases: decision.releases,
  };
}

type Signatures = Map<PermitDecision, Uint8Array>;

/** Signs permits while the database writes them. @param key undefined where a remote signer has signed before the lock */
async function signAll(
  key: OpenKey | undefined,
  permits: readonly UnsignedPermit[],
  signatures: Signatures,
): Promise<void> {
  for (const [index, permit] of permits.entries()) {
    // The first time the statements are sent before.
    if (index % SIGNED_AT_ONCE === 0) await setImmediate();
    const signature = permit.signature ?? key?.sign(encodedOf(permit));
    if (signature !== undefined) signatures.set(permit, signature);
  }
}

/** Waits for both, also if one fails: the answer to a commit may be lost, and then what was signed counts. */
async function bothDone(...works: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(works);
  const failed = outcomes.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
}

function outcomeOf(decision: PermitDecision | undefined, signatures: Signatures): PermitOutcome {
  if (decision === undefined) throw new TypeError("a decision is missing");
  if (decision.kind !== "ready") return decision;
  const signature = signatures.get(decision);
  if (signature === undefined) throw new TypeError("a signature is missing");
  return { kind: "issued", permit: decision.permit, wallet: decision.record.wallet, signature };
}

/**
 * Returns those permits whose decisions hold whichever of them comes first: no two have an entity, a wallet, a wallet's holder or
 * a member in common. The first of each.
 */
function independentPermits(decisions: readonly PermitDecision[]): ReadonlySet<PermitDecision> {
  const taken = new Set<string>();
  return new Set(
    decisions.filter((decision) => {
      if (decision.kind !== "ready") return false;
      const keys = touchedKeys(decision);
      if (keys.some((key) => taken.has(key))) return false;
      for (const key of keys) taken.add(key);
      return true;
    }),
  );
}

/** Names what a permit changes, or what a permit of another changes in the facts about this one. */
function touchedKeys({ binding: { entityUuid, wallet, binding }, matchedKeys }: UnsignedPermit): readonly string[] {
  const holder = binding?.entityUuid ?? entityUuid;
  return [entityUuid, holder, walletKey(wallet), ...matchedKeys];
}
