import { isDeepStrictEqual } from "node:util";
import type { Client } from "./client.ts";

/** A client as it is created: without logos, at its first version. */
export function newClient(
  parts: Pick<Client, "uuid" | "saleUuid" | "saleName" | "tenancy" | "definition" | "createdAtMs">,
): Client {
  return { ...parts, status: "active", version: 1n };
}

/** Whether a client is what a repeated call would create; logos may have been set since. */
export function isAsCreated(existing: Client, created: Client): boolean {
  return (
    existing.saleUuid === created.saleUuid &&
    existing.status === created.status &&
    isDeepStrictEqual(existing.definition, created.definition)
  );
}
