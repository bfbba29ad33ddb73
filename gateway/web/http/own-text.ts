import { Buffer } from "node:buffer";

/** Copies a text in Latin-1 that is a slice of a request, and would keep the whole request in memory. */
export function ownText(slice: string): string {
  return Buffer.from(slice, "latin1").toString("latin1");
}
