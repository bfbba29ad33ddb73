import { expect, it } from "vitest";
import { CodeResult } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { deriveKeys } from "./base/derived-keys.ts";
import type { AuthDatabase } from "./base/schema.ts";
import { DpopNonces } from "./dpop/nonces.ts";
import { type AccountClient, accountClient, newBrowserToken, PEER } from "./testing/account-client.ts";
import { Application, errorIn, tokensIn } from "./testing/application.ts";
import { openAuthDatabase } from "./testing/auth-database.ts";
import { authorizationClient } from "./testing/authorization-client.ts";

const [FORMER, PRESENT] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
/** The keys of a process before the change, of one with the new key, and of one that was restarted once the other key was removed. */
const KEYS = {
  before: deriveKeys(FORMER, PRESENT),
  after: deriveKeys(PRESENT, FORMER),
  alone: deriveKeys(PRESENT),
};
const EMAIL = "a@example.com";
const STRANGERS = "203.0.113.9";

const process = (database: AuthDatabase, keys: keyof typeof KEYS) =>
  accountClient({ database, derivedKeys: KEYS[keys] });

async function begin(client: AccountClient, asker: { readonly address?: string; readonly knownBrowser?: string } = {}) {
  const { address = PEER.address, knownBrowser = "" } = asker;
  const [browserToken, peer] = [newBrowserToken(), { ...PEER, address }];
  const { signInHandle } = await client.accounts.beginSignIn({ email: EMAIL, browserToken, knownBrowser, peer });
  return { signInHandle, browserToken, peer };
}

it.each([
  ["before", "after", CodeResult.CORRECT],
  ["after", "before", CodeResult.CORRECT],
  ["before", "alone", CodeResult.WRONG],
] as const)(
  "a code that a process with the keys %s sent completes a sign-in at one with %s: %s",
  async (from, to, result) => {
    const database = await openAuthDatabase();
    const [sender, taker] = [await process(database, from), await process(database, to)];
    const begun = await begin(sender);
    expect((await taker.accounts.completeSignIn({ ...begun, code: sender.outbox.lastCode() })).result).toBe(result);
  },
);

it("browsers and networks that signed in before the change aren't strangers after it, until the former key is gone", async () => {
  const database = await openAuthDatabase();
  const before = await process(database, "before");
  const begun = await begin(before);
  const { knownBrowser } = await before.accounts.completeSignIn({ ...begun, code: before.outbox.lastCode() });
  const sentBy = async (client: AccountClient, ...asker: Parameters<typeof begin>[1][]) => {
    const sent = client.outbox.mails.length;
    for (const each of asker) await begin(client, each);
    return client.outbox.mails.length - sent;
  };
  const after = await process(database, "after");
  expect(await sentBy(after, ...Array(7).fill({ address: STRANGERS }))).toBe(5);
  expect(await sentBy(after, { address: STRANGERS, knownBrowser }, {})).toBe(2);
  expect(await sentBy(await process(database, "alone"), { address: STRANGERS, knownBrowser }, {})).toBe(0);
});

it.each([
  ["before", "after"],
  ["after", "before"],
] as const)(
  "a refresh that is repeated at a process with other keys, %s and %s, is no reuse",
  async (first, second) => {
    const database = await openAuthDatabase();
    const one = await authorizationClient({ database, derivedKeys: KEYS[first] });
    const other = await authorizationClient({ database, derivedKeys: KEYS[second] });
    const application = await one.application();
    const elsewhere = new Application(other.authorization, application.client);
    const { refreshToken } = await application.tokens(await one.signIn());
    const next = tokensIn(await application.refresh(refreshToken)).refreshToken;
    expect(tokensIn(await elsewhere.refresh(refreshToken)).refreshToken).toBe(next);
    expect(errorIn(await elsewhere.refresh(next))).toBe("");
    // The successor is used now: this is reuse by either key, and ends all.
    expect(errorIn(await application.refresh(refreshToken))).toBe("invalid_grant");
    expect(errorIn(await elsewhere.refresh(next))).toBe("invalid_grant");
  },
);

it("nonces of DPoP from either side of the change are accepted", () => {
  const clock = () => 1_000_000n;
  const [before, after, alone] = [KEYS.before, KEYS.after, KEYS.alone].map(
    (derivedKeys) => new DpopNonces({ derivedKeys, clock }),
  ) as [DpopNonces, DpopNonces, DpopNonces];
  expect(before.present()).not.toBe(after.present());
  expect([after.accepts(before.present()), before.accepts(after.present())]).toEqual([true, true]);
  expect(alone.accepts(before.present())).toBe(false);
});
