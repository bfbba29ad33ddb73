import { invalidArgument, ServiceError } from "../../../../common/platform/errors/service-error.ts";
import type { Sale } from "../../../../common/sale/definition/sale.ts";
import type { SaleStage } from "../../../../common/sale/state/stage.ts";
import type { SaleState, SourcePosition } from "../../base/domain/sale-state.ts";
import { requireNotWithdrawn } from "../../base/domain/sale-transitions.ts";

export interface ChangeSetPart {
  readonly uuid: string;
  readonly part: number;
  readonly last: boolean;
}

/** The part of an apply beside its rows. */
export interface ApplyEnvelope {
  readonly stage?: SaleStage;
  readonly sourcePosition?: SourcePosition;
  readonly expectedRevision?: bigint;
  readonly leaseEpoch?: bigint;
  readonly changeSet?: ChangeSetPart;
}

/** Refuses an apply that doesn't fit the sale's present state, by throwing a `ServiceError`. */
export function admitApply(sale: Sale, state: SaleState, envelope: ApplyEnvelope): void {
  requireNotWithdrawn(state);
  if (state.status === "draft") throw new ServiceError("failed_precondition", "the sale is a draft; open it first");
  admitLease(sale, state, envelope);
  admitRevision(state, envelope);
  admitPart(state, envelope);
}

/** Refuses a reader that has lost its lease, perhaps while its process was paused. */
function admitLease(sale: Sale, state: SaleState, { leaseEpoch }: ApplyEnvelope): void {
  if (leaseEpoch === undefined) {
    if (sale.definition.source === undefined) return;
    const message = "is required for a sale that is read from a contract";
    throw invalidArgument([{ field: "lease_epoch", rule: "lease_epoch.required", message }]);
  }
  if (leaseEpoch === state.lease.epoch && leaseEpoch > 0n) return;
  throw new ServiceError("aborted", `lease epoch ${leaseEpoch} is over; acquire the lease again`);
}

function admitRevision({ revision }: SaleState, { expectedRevision }: ApplyEnvelope): void {
  if (expectedRevision === undefined || expectedRevision === revision) return;
  throw new ServiceError("aborted", `the sale is at revision ${revision}, not ${expectedRevision}; read it again`);
}

function admitPart({ changeSet: open }: SaleState, { changeSet: incoming, stage }: ApplyEnvelope): void {
  if (incoming === undefined) {
    if (open === undefined) return;
    throw new ServiceError("failed_precondition", `change set ${open.uuid} isn't finished; finish it or begin another`);
  }
  const continues = open !== undefined && open.uuid === incoming.uuid;
  if (!continues && incoming.part === 0) return;
  if (!continues) throw new ServiceError("aborted", `change set ${incoming.uuid} isn't open; begin with part 0`);
  if (incoming.part !== open.nextPart) {
    throw new ServiceError(
      "aborted",
      `change set ${open.uuid} continues with part ${open.nextPart}, not ${incoming.part}`,
    );
  }
  if (stage === open.stage) return;
  throw invalidArgument([{ field: "stage", rule: "stage.change_set", message: "must be the same in all parts" }]);
}
