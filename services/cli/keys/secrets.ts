import type { Client } from "@connectrpc/connect";
import { countText } from "../../../common/sale/words/number-text.ts";
import type { SecretCount, SecretService } from "../../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import { CommandFailure, UsageError } from "../base/cli-error.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { alignColumns } from "../output/align-columns.ts";
import { StatusLine } from "../output/status-line.ts";
import { write } from "../output/write.ts";

type Counts = Map<string, { present: number; other: number; unreadable: number }>;

/** The result of a pass over all secrets of a service. */
interface Pass {
  readonly counts: Counts;
  readonly keyId: string;
  /** Processes that have `KEY_ENCRYPTION_KEY_OTHER`, of those that answered. */
  readonly knowsOtherKey: "all" | "some" | "none";
}

const OTHER_KEY_TEXTS = { all: "known", some: "not set in some processes", none: "not set" };

/** Passes after which a process must still write by the other key. */
const MAX_PASSES = 3;

const SERVICE_TEXT = `SERVICE is auth, entities or commitments, each of which has a KEY_ENCRYPTION_KEY of its own.`;

export const secretsRewrap: Command = {
  name: "secrets rewrap",
  positionals: ["SERVICE"],
  summary: "after a change of KEY_ENCRYPTION_KEY: wrap stored secrets by the new key",
  details: `${SERVICE_TEXT} Its processes must have
the new key as KEY_ENCRYPTION_KEY, and the former one as KEY_ENCRYPTION_KEY_OTHER. They go on working meanwhile. If the command is
interrupted, run it again: what is done is skipped.`,
  options: {},
  async run(input, context) {
    const secrets = secretsOf(input, context);
    for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
      const outcome = await passOver(secrets, context, false);
      await write(context.output, `${pass === 1 ? "" : "again: "}${countTable(outcome.counts, "RE-WRAPPED")}\n`);
      refuseUnreadable(outcome);
      if (total(outcome.counts, "other") === 0n) return write(context.output, `${nothingLeft(outcome)}\n`);
    }
    throw new CommandFailure("a process still writes by the other key: do all have the new one as KEY_ENCRYPTION_KEY?");
  },
};

export const secretsStatus: Command = {
  name: "secrets status",
  positionals: ["SERVICE"],
  summary: "say which key wraps the stored secrets of a service",
  details: `${SERVICE_TEXT}
Exit code 1 while KEY_ENCRYPTION_KEY_OTHER is needed, or where secrets can't be opened.`,
  options: {},
  async run(input, context) {
    const outcome = await passOver(secretsOf(input, context), context, true);
    const { counts, keyId, knowsOtherKey } = outcome;
    await write(context.output, `present key ${keyId}, other key ${OTHER_KEY_TEXTS[knowsOtherKey]}\n`);
    await write(context.output, `${countTable(counts, "OTHER KEY")}\n`);
    refuseUnreadable(outcome);
    const other = total(counts, "other");
    if (other > 0n) throw new CommandFailure(`${countText(other)} need KEY_ENCRYPTION_KEY_OTHER; run secrets rewrap`);
    await write(context.output, `${nothingLeft(outcome)}\n`);
  },
};

function secretsOf(
  { positionals: [service = ""] }: CommandInput,
  { secrets }: CliContext,
): Client<typeof SecretService> {
  if (service === "auth" || service === "entities" || service === "commitments") return secrets[service];
  throw new UsageError("SERVICE: expected auth, entities or commitments");
}

async function passOver(
  secrets: Client<typeof SecretService>,
  { errors, signal }: CliContext,
  dryRun: boolean,
): Promise<Pass> {
  const [counts, line]: [Counts, StatusLine | undefined] = [
    new Map(),
    errors.isTTY ? new StatusLine(errors) : undefined,
  ];
  const knowledge = new Set<boolean>();
  let [cursor, keyId] = ["", ""];
  for (;;) {
    const batch = await secrets.rewrapSecrets({ cursor, dryRun, keyId }, { signal });
    for (const count of batch.counts) add(counts, count);
    [cursor, keyId] = [batch.nextCursor, batch.keyId];
    knowledge.add(batch.knowsOtherKey);
    await line?.show("secrets", `${countText(allOf(counts))} seen`, performance.now());
    if (cursor !== "") continue;
    await line?.end();
    if (keyId === "") throw new CommandFailure("the service has no KEY_ENCRYPTION_KEY, and so no secrets");
    return { counts, keyId, knowsOtherKey: knowledge.size > 1 ? "some" : batch.knowsOtherKey ? "all" : "none" };
  }
}

function add(counts: Counts, { kind, present, other, unreadable }: SecretCount): void {
  const before = counts.get(kind) ?? { present: 0, other: 0, unreadable: 0 };
  counts.set(kind, {
    present: before.present + present,
    other: before.other + other,
    unreadable: before.unreadable + unreadable,
  });
}

function total(counts: Counts, by: "present" | "other" | "unreadable"): bigint {
  return [...counts.values()].reduce((sum, count) => sum + BigInt(count[by]), 0n);
}

function allOf(counts: Counts): bigint {
  return total(counts, "present") + total(counts, "other") + total(counts, "unreadable");
}

/** @throws CommandFailure where a secret isn't opened */
function refuseUnreadable({ counts, knowsOtherKey }: Pass): void {
  const unreadable = total(counts, "unreadable");
  if (unreadable === 0n) return;
  throw new CommandFailure(
    knowsOtherKey === "all"
      ? `${countText(unreadable)} are opened by neither key: which one wrapped them?`
      : `${countText(unreadable)} aren't opened by the present key: set KEY_ENCRYPTION_KEY_OTHER to the one that wrapped them`,
  );
}

function nothingLeft({ knowsOtherKey }: Pass): string {
  const all = "the present key opens everything";
  // Before a change the other key is the coming one, after it the former one.
  return knowsOtherKey === "none" ? all : `${all}: KEY_ENCRYPTION_KEY_OTHER may be removed if it is the former key`;
}

function countTable(counts: Counts, other: string): string {
  const rows = [...counts].map(([kind, count]) => [
    kind,
    ...[count.present, count.other, count.unreadable].map((number) => countText(BigInt(number))),
  ]);
  return alignColumns([["KIND", "PRESENT KEY", other, "UNREADABLE"], ...rows]);
}
