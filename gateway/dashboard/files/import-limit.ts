import type { ListImports } from "../base/taking-part-dependencies.ts";

/** Imports that this process works on at once; each holds a file of `MAX_LIST_BYTES` in memory a few times. */
const MAX_IMPORTS = 4;

/** Limits imports of lists: one an account, and a few in the process. */
export class ImportLimit implements ListImports {
  readonly #accounts = new Set<string>();

  take(accountUuid: string): (() => void) | undefined {
    if (this.#accounts.has(accountUuid) || this.#accounts.size >= MAX_IMPORTS) return undefined;
    this.#accounts.add(accountUuid);
    return () => void this.#accounts.delete(accountUuid);
  }
}
