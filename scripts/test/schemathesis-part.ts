import { startEmbedded } from "../../test/support/embedded.ts";
import type { Part, PartContext, PartResult } from "./part.ts";
import { checkResult, skippedResult } from "./part.ts";
import { pythonTool, SCHEMATHESIS } from "./python-tool.ts";
import { runCommand } from "./run-command.ts";

/** The checks that it leaves out, each with its reason. */
const CONFIG = "test/openapi/schemathesis.toml";

/** Sends requests to the embedded process that schemathesis makes from its OpenAPI document, and checks the answers. */
export const schemathesisPart: Part = { name: "schemathesis", run: "long", limitMs: 15 * 60_000, check };

async function check({ folder, limitMs }: PartContext): Promise<PartResult> {
  const tool = await pythonTool(SCHEMATHESIS);
  if ("missing" in tool) return skippedResult(`schemathesis: ${tool.missing}`);
  const tidemark = await startEmbedded("node", { DEMO_CHAIN: "off", DATA_DIR: folder });
  try {
    const document = new URL("/openapi.json", tidemark.publicReadUrl).href;
    const args = ["--config-file", CONFIG, "run", document];
    const { ok, output } = await runCommand({ command: tool.path, args, limitMs });
    return checkResult(ok, output);
  } finally {
    await tidemark.stop();
  }
}
