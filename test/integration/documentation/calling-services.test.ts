import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { SaleService } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { ALLOWED_CALLERS } from "../../../services/commitments/allowed-callers.ts";
import { type RunningProcess, startProcess } from "../../support/processes/child-process.ts";
import { type EmbeddedTidemark, startEmbedded } from "../../support/processes/embedded.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { runShell } from "../../support/processes/shell.ts";
import { codeSpans, onlyCodeBlock, tableRows } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";

const document = readRepository("docs/calling-services.md");
const [COMMITMENTS_URL, AUTH_URL] = ["http://127.0.0.1:8081", "http://127.0.0.1:8083"];

describe("docs/calling-services.md", () => {
  const key = generateCallerKey();
  let tidemark: EmbeddedTidemark;
  let commitmentsUrl: string;
  let authUrl: string;

  beforeAll(async () => {
    const [commitmentsPort, authPort] = [await freePort(), await freePort()];
    const ports = { COMMITMENTS_PORT: `${commitmentsPort}`, AUTH_PORT: `${authPort}` };
    tidemark = await startEmbedded("node", { DEMO: "off", CALLER_KEYS: `operator=${key.text}`, ...ports });
    [commitmentsUrl, authUrl] = [`http://127.0.0.1:${commitmentsPort}`, `http://127.0.0.1:${authPort}`];
  });
  afterAll(() => tidemark?.stop());

  /** Runs a block as a module in the repository's root. @returns the first line that it prints. */
  async function run(block: string, inputType: "module" | "module-typescript"): Promise<string> {
    const program = await startProcess({
      command: "node",
      args: [`--input-type=${inputType}`, "--eval", here(block)],
      env: { CALLER_KEY: key.text },
    });
    return firstLineOf(program);
  }

  function here(block: string): string {
    return block.replaceAll(COMMITMENTS_URL, commitmentsUrl).replaceAll(AUTH_URL, authUrl);
  }

  it("has a script that feeds a sale", async () => {
    const output = await run(onlyCodeBlock(document, "ts"), "module-typescript");
    expect(output).toBe("1 commitment of 2500000 smallest units");
    const caller = { name: "operator", key: key.key, audience: COMMITMENTS_AUDIENCE };
    const transport = createRpcTransport({ baseUrl: commitmentsUrl, caller, defaultTimeoutMs: 30_000 });
    const { sales } = await createClient(SaleService, transport).listSales({});
    expect(sales.map(({ definition }) => definition?.name)).toContain("A sale at 10 cents");
  });

  it("has a script that makes a token and calls without any library", async () => {
    expect(await run(onlyCodeBlock(document, "js"), "module")).toMatch(/^200 \{/);
  });

  it("says how to make a key that a service accepts", async () => {
    const [makeKey] = onlyCodeBlock(document, "sh").split("\n");
    const made = await runShell(`${makeKey}; printf %s "$CALLER_KEY"`);
    expect(Buffer.from(made, "base64url")).toHaveLength(32);
    expect(Buffer.from(made, "base64url").toString("base64url")).toBe(made);
  });

  it("says rightly who may call what", () => {
    const documented = tableRows(document, "method").map(([method = "", callers = ""]) => [
      codeSpans(method)[0],
      codeSpans(callers).toSorted(),
    ]);
    const allowed = Object.entries(ALLOWED_CALLERS).flatMap(([service, methods]) =>
      Object.entries(methods).map(([name, callers]) => [`${service.split(".").at(-1)}/${name}`, callers.toSorted()]),
    );
    expect(documented).toEqual(allowed);
  });
});

async function firstLineOf(program: RunningProcess): Promise<string> {
  const [{ code }, output] = [await program.exited, program.output()];
  if (code !== 0) throw new Error(output);
  return output.split("\n")[0] ?? "";
}
