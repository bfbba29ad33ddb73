import type { EraseEntity } from "../base/erase-entity.ts";
import { deleteHandles } from "./handles-store.ts";
import { deleteLiveness } from "./liveness-store.ts";
import { deleteEntries } from "./review-entries-store.ts";

/** Deletes an entity's handles, proofs and what was written in its reviews. The keyed hash of its reference stays, so that one identity counts once. */
export const eraseEntity: EraseEntity = async (transaction, { uuid }) => {
  await deleteHandles(transaction, uuid);
  await deleteLiveness(transaction, uuid);
  await deleteEntries(transaction, uuid);
};
