import type { ActionContext } from "./action-context.ts";
import { bid, findBid } from "./bid-actions.ts";
import { CLIENT_CODE } from "./client-code.ts";
import type { OAuthClient } from "./oauth-client.ts";
import { perform } from "./perform-step.ts";
import { askChosenPermit, askWhoBids } from "./permit-actions.ts";
import type { Visit } from "./visits.ts";

/** The fields of a form. */
type Action = (visit: Visit, context: ActionContext, fields: URLSearchParams) => Promise<void>;

/** The actions behind the page's buttons, by path. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["/user", askUser],
  ["/refresh", refresh],
  ["/revoke", revoke],
  ["/entities", askWhoBids],
  ["/permit", askChosenPermit],
  ["/bid", bid],
  ["/position", findBid],
]);

const OF_ONE_SIGN_IN = [
  ...["prepared", "tokens", "isRevoked", "requestUrl", "entities"],
  ...["wallet", "permit", "refusal", "bid", "position"],
] as const satisfies readonly (keyof Visit)[];

/** Handles the answer to the authorization request. A second answer to the same request is refused. */
export async function handleCallback(visit: Visit, context: ActionContext, callback: URL): Promise<void> {
  const { prepared } = visit;
  for (const key of OF_ONE_SIGN_IN) delete visit[key];
  if (prepared !== undefined) visit.requestUrl = prepared.url;
  visit.callback = [...callback.searchParams];
  visit.steps.length = 0;
  const tokens = await perform(visit, {
    title: "Exchange the code for tokens",
    code: CLIENT_CODE.exchange,
    run: async (record) => {
      if (prepared === undefined)
        throw new Error("this browser hasn’t started a sign-in here, so the answer isn’t for it");
      return context.client.exchange(callback, prepared, record);
    },
  });
  if (tokens === undefined) return;
  visit.tokens = tokens;
  await askUser(visit, context);
  await askWhoBids(visit, context);
}

async function askUser(visit: Visit, { client }: ActionContext): Promise<void> {
  const { tokens } = visit;
  if (tokens === undefined) return;
  await perform(visit, { title: "Ask who the user is", run: (record) => client.userInfo(tokens, record) });
}

async function refresh(visit: Visit, { client }: ActionContext): Promise<void> {
  const { tokens } = visit;
  if (tokens === undefined) return;
  const run = (record: Parameters<OAuthClient["refresh"]>[1]) => client.refresh(tokens, record);
  visit.tokens = (await perform(visit, { title: "Refresh the tokens", code: CLIENT_CODE.refresh, run })) ?? tokens;
}

async function revoke(visit: Visit, { client }: ActionContext): Promise<void> {
  const { tokens } = visit;
  if (tokens === undefined) return;
  const run = async (record: Parameters<OAuthClient["revoke"]>[1]) => {
    await client.revoke(tokens, record);
    visit.isRevoked = true;
  };
  await perform(visit, { title: "Revoke the tokens", code: CLIENT_CODE.revoke, run });
}
