import { expect, it } from "vitest";
import { mysqlDialect } from "../../../common/platform/db/mysql/mysql-dialect.ts";
import { recordOf } from "../testing/samples.ts";
import { insertCommitments, upsertCommitments } from "./commitment-rows.ts";

const uuid = "00000000-0000-4000-8000-0000000000aa";
const row = { record: recordOf(1), amount: 5n, hasAmount: true, digest: "0".repeat(32), countingClass: 1n };

it.each([insertCommitments, upsertCommitments])(
  "writes the demand only of a sale whose rule counts it: %o",
  (statementsOf) => {
    const columns = (countsDemand: boolean) =>
      [...statementsOf(mysqlDialect, { uuid, countsDemand }, [row])].map(({ sql }) => sql.includes("demand"));
    expect(columns(false)).toEqual([false]);
    // A demand that is gone is overwritten.
    expect(columns(true)).toEqual([true]);
  },
);
