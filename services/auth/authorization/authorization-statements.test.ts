import { beforeEach, expect, it } from "vitest";
import type { Application } from "../testing/application.ts";
import { authorizationClient } from "../testing/authorization-client.ts";
import { openWatchedDatabase, type WatchedDatabase } from "../testing/watched-database.ts";

let database: WatchedDatabase;
let application: Application;
let session: string;
beforeEach(async () => {
  database = await openWatchedDatabase();
  const auth = await authorizationClient({ database });
  application = await auth.application();
  session = await auth.signIn();
});

/** Returns the result of `work`, with the number of statements that it took. */
async function counted<Result>(work: () => Promise<Result>): Promise<[result: Result, statements: number]> {
  const before = database.statements;
  return [await work(), database.statements - before];
}

it("reads nothing twice in a call: client, session with consent, and request", async () => {
  // The first consent also looks for earlier grants, to narrow them.
  await application.tokens(session);
  const [attempt, atBeginning] = await counted(() => application.begin(session, { prompt: "consent" }));
  const [, atPage] = await counted(() => application.continue(attempt, session));
  // Again under the lock, with whether the session has ended, and then the answer, the consent, the code and its two events.
  const [, atDecision] = await counted(() => application.decide(attempt, session));
  expect({ atBeginning, atPage, atDecision }).toEqual({ atBeginning: 3, atPage: 3, atDecision: 3 + 5 });
});

it("gives no second code where the outcome of the commit was lost", async () => {
  const attempt = await application.begin(session);
  database.losesNextCommit = true;
  expect((await application.decide(attempt, session)).case).toBe("error");
  expect(await database.query.selectFrom("authorization_code").select("code").execute()).toHaveLength(1);
});
