import type { CommitmentsDatabase } from "../store/sql/schema.ts";
import type { UnpublishedUpdate } from "./unpublished-updates.ts";

type Listener = (update: UnpublishedUpdate) => void;

const listeners = new WeakMap<CommitmentsDatabase, Listener>();

/** Tells of each revision that this process has committed through `database`, of a sale in their order. One listener a database. */
export function onCommitted(database: CommitmentsDatabase, listener: Listener): void {
  listeners.set(database, listener);
}

export function tellCommitted(database: CommitmentsDatabase, update: UnpublishedUpdate): void {
  listeners.get(database)?.(update);
}
