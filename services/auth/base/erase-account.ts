import type { Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import type { AuthSchema } from "./schema.ts";

/**
 * Removes or revokes everything that a subject keeps about an account. The transaction has locked the account, whose own
 * row is deleted last.
 *
 * @throws ServiceError `failed_precondition` where the account can't be deleted now
 */
export type EraseAccount = (
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  erasing: { readonly dialect: SqlDialect; readonly nowMs: bigint },
) => Promise<void>;
