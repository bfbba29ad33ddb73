import type { OAuthClient } from "./oauth-client.ts";
import type { RecordCall, TracedCall } from "./traced-fetch.ts";
import { addStep, type Visit } from "./visits.ts";

type Run = (record: RecordCall) => Promise<void>;
type Action = (visit: Visit, client: OAuthClient) => Promise<void>;

/** The actions behind the page's buttons, by path. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ["/user", askUser],
  ["/refresh", refresh],
  ["/revoke", revoke],
]);

/** Handles the answer to the authorization request. A second answer to the same request is refused. */
export async function handleCallback(visit: Visit, client: OAuthClient, callback: URL): Promise<void> {
  const { prepared } = visit;
  delete visit.prepared;
  delete visit.tokens;
  delete visit.requestUrl;
  if (prepared !== undefined) visit.requestUrl = prepared.url;
  visit.callback = [...callback.searchParams];
  visit.steps.length = 0;
  await perform(visit, "Exchange the code for tokens", async (record) => {
    if (prepared === undefined)
      throw new Error("this browser hasn’t started a sign-in here, so the answer isn’t for it");
    visit.tokens = await client.exchange(callback, prepared, record);
  });
  await askUser(visit, client);
}

async function askUser(visit: Visit, client: OAuthClient): Promise<void> {
  const { tokens } = visit;
  if (tokens !== undefined) await perform(visit, "Ask who the user is", (record) => client.userInfo(tokens, record));
}

async function refresh(visit: Visit, client: OAuthClient): Promise<void> {
  const { tokens } = visit;
  if (tokens === undefined) return;
  await perform(visit, "Refresh the tokens", async (record) => {
    visit.tokens = await client.refresh(tokens, record);
  });
}

async function revoke(visit: Visit, client: OAuthClient): Promise<void> {
  const { tokens } = visit;
  if (tokens !== undefined) await perform(visit, "Revoke the tokens", (record) => client.revoke(tokens, record));
}

/** Runs an action and adds its calls, and its failure if any, to the visit's steps. */
async function perform(visit: Visit, title: string, run: Run): Promise<void> {
  const calls: TracedCall[] = [];
  try {
    await run((call) => calls.push(call));
    addStep(visit, { title, calls });
  } catch (error) {
    addStep(visit, { title, calls, problem: problemOf(error) });
  }
}

/** OAuth errors have their code and description in fields of their own (RFC 6749 sections 4.1.2.1 and 5.2). */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "error" in error ? `${error.error}: ` : "";
  const description = "error_description" in error ? error.error_description : undefined;
  return `${code}${description ?? error.message}`;
}
