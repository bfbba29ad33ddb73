import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import {
  CloseAccountResponseSchema,
  EraseAccountResponseSchema,
} from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { storeMember } from "../memberships/members-store.ts";
import { insertSaleAccess } from "../memberships/sale-access-store.ts";
import { accountClient, failureOf } from "../testing/account-client.ts";
import { completeErasures } from "./complete-erasures.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const running = new AbortController().signal;

/** A person, with an entities service that keeps what it was asked for, and may be away. */
async function client() {
  const calls: string[] = [];
  const state = { away: false };
  const take = (name: string, accountUuid: string | undefined) => {
    if (state.away) throw new ConnectError("the entities service is away", Code.Unavailable);
    calls.push(`${name} ${accountUuid}`);
  };
  const fixture = await accountClient({
    entities: {
      closeAccount: async ({ accountUuid }) => {
        take("close", accountUuid);
        return create(CloseAccountResponseSchema);
      },
      eraseAccount: async ({ accountUuid }) => {
        take("erase", accountUuid);
        return create(EraseAccountResponseSchema);
      },
    },
  });
  const sessionToken = await fixture.signIn("a@example.com");
  const { account } = await fixture.accounts.getSession({ sessionToken });
  const accountUuid = account?.uuid ?? "";
  return {
    ...fixture,
    calls,
    state,
    sessionToken,
    accountUuid,
    erase: () => completeErasures(fixture.context, running),
  };
}

it("closes an account, deletes it, and then erases its entities once", async () => {
  const { accounts, calls, sessionToken, accountUuid, erase } = await client();
  await accounts.deleteAccount({ sessionToken });
  expect(calls).toEqual([`close ${accountUuid}`]);
  await erase();
  await erase();
  expect(calls).toEqual([`close ${accountUuid}`, `erase ${accountUuid}`]);
});

it("keeps an account that can't be closed", async () => {
  const { accounts, state, sessionToken, calls, erase } = await client();
  state.away = true;
  expect(await failureOf(accounts.deleteAccount({ sessionToken }))).toMatchObject({ code: "unavailable" });
  state.away = false;
  expect((await accounts.getSession({ sessionToken })).account).toBeDefined();
  await erase();
  expect(calls).toEqual([]);
});

it("erases nothing of an account whose deletion is refused", async () => {
  const { accounts, context, sessionToken, accountUuid, calls, erase } = await client();
  const { database } = context;
  await database.write(async (transaction) => {
    await insertSaleAccess(transaction, SALE);
    await storeMember(transaction, database.dialect, SALE, { accountUuid, role: "owner" });
  });
  expect(await failureOf(accounts.deleteAccount({ sessionToken }))).toMatchObject({ code: "failed_precondition" });
  await erase();
  expect(calls).toEqual([`close ${accountUuid}`]);
});

it("tries an erasure again, less and less often, until it succeeds", async () => {
  const { accounts, context, state, sessionToken, accountUuid, calls, erase } = await client();
  await accounts.deleteAccount({ sessionToken });
  state.away = true;
  await expect(erase()).rejects.toThrow("away");
  await erase();
  context.time.advance(5_000);
  await expect(erase()).rejects.toThrow("away");
  state.away = false;
  context.time.advance(5_000);
  await erase();
  expect(calls).not.toContain(`erase ${accountUuid}`);
  context.time.advance(5_000);
  await erase();
  expect(calls).toContain(`erase ${accountUuid}`);
});
