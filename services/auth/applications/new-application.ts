import { isDeepStrictEqual } from "node:util";
import type { Client } from "./application.ts";

/** A new client: without logos, at version 1. */
export function newClient(
  fields: Pick<Client, "uuid" | "saleUuid" | "saleName" | "tenancy" | "definition" | "createdAtMs">,
): Client {
  return { ...fields, status: "active", version: 1n };
}

/** Whether an existing client equals the one that a repeated call would create. Logos may have been set since. */
export function isAsCreated(existing: Client, created: Client): boolean {
  return (
    existing.saleUuid === created.saleUuid &&
    existing.status === created.status &&
    isDeepStrictEqual(existing.definition, created.definition)
  );
}
