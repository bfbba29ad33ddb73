import type { EraseEntity } from "../base/erase-entity.ts";
import { deleteHandles } from "./handles-store.ts";
import { deleteLiveness } from "./liveness-store.ts";

/** Deletes an entity's handles and proofs. The keyed hash of its reference stays, so that one identity counts once. */
export const eraseEntity: EraseEntity = async (transaction, { uuid }) => {
  await deleteHandles(transaction, uuid);
  await deleteLiveness(transaction, uuid);
};
