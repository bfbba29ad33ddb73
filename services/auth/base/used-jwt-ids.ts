import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import type { AuthDatabase } from "./schema.ts";
import { insertUsedJwtIds, isUsedByItsRequest, type SingleUseJwt } from "./used-jwt-ids-store.ts";

/**
 * The JWTs that were used, by all processes. A use takes one statement; concurrent uses share it. A JWT counts as used from then
 * on, even if the database's answer is lost: its owner makes another one.
 */
export class UsedJwtIds {
  readonly #database: AuthDatabase;
  readonly #batcher = new Batcher((jwts: readonly SingleUseJwt[]) => this.#useAll(jwts));

  constructor(database: AuthDatabase) {
    this.#database = database;
  }

  /**
   * Uses a JWT. Of concurrent uses of the same one, one succeeds.
   *
   * @returns false if it was used before, by another request
   * @throws ServiceError `unavailable`
   */
  use(jwt: SingleUseJwt): Promise<boolean> {
    return this.#batcher.run(jwt);
  }

  async #useAll(jwts: readonly SingleUseJwt[]): Promise<readonly boolean[]> {
    if (await this.#insert(jwts)) return jwts.map(() => true);
    const used: boolean[] = [];
    for (const jwt of jwts) used.push(await this.#useAlone(jwt, jwts.length === 1));
    return used;
  }

  /** @param isStored whether it is known to be stored */
  async #useAlone(jwt: SingleUseJwt, isStored: boolean): Promise<boolean> {
    if (!isStored && (await this.#insert([jwt]))) return true;
    return this.#database.read((query) => isUsedByItsRequest(query, jwt));
  }

  /** @returns false, having stored none of them, if one was used before */
  async #insert(jwts: readonly SingleUseJwt[]): Promise<boolean> {
    try {
      const { dialect } = this.#database;
      await this.#database.write((transaction) => insertUsedJwtIds(transaction, dialect, jwts));
      return true;
    } catch (error) {
      if (this.#database.dialect.isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
