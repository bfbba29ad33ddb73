import { createServer } from "node:http";
import { join } from "node:path";
import { listen } from "../../common/platform/http/listen.ts";
import { VENDOR_SETTINGS } from "../../services/entities/testing/vendor.ts";
import { signInByPages } from "../../test/support/pages/page-sign-in.ts";
import { type EmbeddedTidemark, startEmbedded } from "../../test/support/processes/embedded.ts";
import { checkResult, type Part, type PartContext, type PartResult, skippedResult } from "./part.ts";
import { runCommand } from "./run-command.ts";
import { pythonTool, SCHEMATHESIS } from "./tools.ts";

/** The checks that it leaves out, each with its reason. */
const CONFIG = "test/openapi/schemathesis.toml";

/** Verifier of the challenge in the link that the embedded process prints (RFC 7636 appendix B). */
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/** Sends requests, with the access token of a user, to the embedded process that schemathesis makes from its OpenAPI document, and checks the answers. */
export const schemathesisPart: Part = { name: "schemathesis", run: "long", limitMs: 15 * 60_000, check };

async function check({ folder, limitMs }: PartContext): Promise<PartResult> {
  const tool = await pythonTool(SCHEMATHESIS);
  if ("missing" in tool) return skippedResult(`schemathesis: ${tool.missing}`);
  // Without its port, the demo's application doesn't start, and the process prints a link to sign in with instead.
  const holder = createServer();
  const { port } = await listen(holder, { host: "127.0.0.1", port: 0 });
  const env = { DEMO_CHAIN: "off", DATA_DIR: folder, DEMO_APP_PORT: `${port}`, ...VENDOR_SETTINGS };
  const tidemark = await startEmbedded("node", env);
  try {
    const token = await accessToken(tidemark, join(folder, "mail"));
    const document = new URL("/openapi.json", tidemark.publicReadUrl).href;
    const described = await (await fetch(document)).text();
    if (!described.includes("POST:identity.Callback"))
      throw new Error(`${document} has no callbacks of an identity vendor`);
    const args = ["--config-file", CONFIG, "run", "--header", `Authorization: Bearer ${token}`, document];
    const { ok, output } = await runCommand({ command: tool.path, args, limitMs });
    return checkResult(ok, output);
  } finally {
    await tidemark.stop();
    holder.close();
  }
}

async function accessToken({ process, publicReadUrl }: EmbeddedTidemark, mailFolder: string): Promise<string> {
  const [, authorizeUrl = ""] = await process.waitForLine(/authorize link: (\S+)/);
  const callback = await signInByPages({ authorizeUrl, email: "alice@example.com", mailFolder });
  const code = callback.searchParams.get("code") ?? "";
  const redirect_uri = new URL(authorizeUrl).searchParams.get("redirect_uri") ?? "";
  const answer = await fetch(new URL("/oauth.ExchangeAuthorizationCodeV2", publicReadUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, code_verifier: VERIFIER, redirect_uri }),
  });
  return (await answer.json()).access_token;
}
