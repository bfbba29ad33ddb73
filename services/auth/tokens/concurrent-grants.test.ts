import { beforeEach, describe, expect, it } from "vitest";
import { type Application, errorIn, tokensIn } from "../testing/application.ts";
import { authorizationClient } from "../testing/authorization-client.ts";
import { openWatchedDatabase, type WatchedDatabase } from "../testing/watched-database.ts";

const AT_ONCE = 12;

describe("concurrent grants", () => {
  let database: WatchedDatabase;
  let application: Application;
  let session: string;
  beforeEach(async () => {
    database = await openWatchedDatabase();
    const auth = await authorizationClient({ database });
    application = await auth.application();
    session = await auth.signIn();
  });

  const codes = () => Promise.all(Array.from({ length: AT_ONCE }, () => application.code(session)));
  const tokensOfOwn = async () => Promise.all((await codes()).map(async (code) => application.exchange(code)));
  const statementsOf = async <Result>(work: () => Promise<Result>) => {
    const before = database.statements;
    const result = await work();
    return { result, statements: database.statements - before };
  };
  const eventsOf = async (event: string) =>
    (await database.query.selectFrom("audit").select("event_id").where("event", "=", event).execute()).length;

  it("share statements, and each gets its own tokens", async () => {
    const issued = await codes();
    const { result, statements } = await statementsOf(() =>
      Promise.all(issued.map((code) => application.exchange(code))),
    );
    const tokens = result.map((answer) => tokensIn(answer).refreshToken);
    expect(new Set(tokens).size).toBe(AT_ONCE);
    expect(statements).toBeLessThan(2.5 * AT_ONCE);
    const refreshed = await statementsOf(() => Promise.all(tokens.map((token) => application.refresh(token))));
    expect(refreshed.result.map(errorIn)).toEqual(tokens.map(() => ""));
    expect(refreshed.statements).toBeLessThan(2.5 * AT_ONCE);
    expect([await eventsOf("tokens.issued"), await eventsOf("tokens.refreshed")]).toEqual([AT_ONCE, AT_ONCE]);
  });

  it("don't fail because one code is sent twice among them", async () => {
    const issued = await codes();
    const [twice] = issued;
    if (twice === undefined) throw new Error("no code");
    const results = await Promise.all([...issued, twice].map((code) => application.exchange(code)));
    const errors = results.map(errorIn);
    expect(errors.slice(1, -1)).toEqual(new Array(AT_ONCE - 1).fill(""));
    expect([errors[0], errors.at(-1)].toSorted()).toEqual(["", "invalid_grant"]);
    expect([await eventsOf("tokens.issued"), await eventsOf("code.replayed")]).toEqual([AT_ONCE, 1]);
  });

  it("return the same successor for a refresh token that is sent twice among them", async () => {
    const tokens = (await tokensOfOwn()).map((answer) => tokensIn(answer).refreshToken);
    const [twice = ""] = tokens;
    const results = await Promise.all([...tokens, twice].map((token) => application.refresh(token)));
    expect(results.map(errorIn)).toEqual(results.map(() => ""));
    const successors = results.map((answer) => tokensIn(answer).refreshToken);
    expect(successors.at(-1)).toBe(successors[0]);
    expect(await eventsOf("tokens.refreshed")).toBe(AT_ONCE);
  });
});
