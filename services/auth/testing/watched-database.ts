import type { KyselyPlugin, Transaction } from "kysely";
import { Database } from "../../../common/platform/db/database.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";
import { openAuthDatabase } from "./auth-database.ts";

/** Counts statements except begin and commit, and can lose the outcome of a commit. */
export class WatchedDatabase extends Database<AuthSchema> {
  statements = 0;
  /** Whether the outcome of the next commit is lost, so that the committed transaction runs again. */
  losesNextCommit = false;

  constructor(database: AuthDatabase) {
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        this.statements += 1;
        return result;
      },
    };
    super(database.query.withPlugin(counter), database.dialect);
  }

  override async write<Result>(work: (transaction: Transaction<AuthSchema>) => Promise<Result>): Promise<Result> {
    if (this.losesNextCommit) {
      this.losesNextCommit = false;
      await super.write(work);
    }
    return super.write(work);
  }
}

export async function openWatchedDatabase(): Promise<WatchedDatabase> {
  return new WatchedDatabase(await openAuthDatabase());
}
