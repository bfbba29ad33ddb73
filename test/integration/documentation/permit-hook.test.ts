import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { getAddress, type Hex } from "viem";
import { formatAbiItem } from "viem/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { purchasePermitHook } from "../../../contracts/purchase-permit-hook.ts";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { SIGNER_ROLE } from "../../support/chains/purchase-permit.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { codeBlocks, codeSpans, tableRows } from "../../support/repository/markdown.ts";
import { REPOSITORY_ROOT, readRepository } from "../../support/repository/repository.ts";

const run = promisify(execFile);
const page = readRepository("docs/permit-hook.md");
const { abi } = purchasePermitHook;
/** Anvil's first account, which has coins. */
const PRIVATE_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const SALE_UUID = "11111111-1111-4111-8111-111111111111";
const [SIGNER, NEXT_SIGNER, REVOKER] = ["a1", "a2", "a3"].map((byte) => getAddress(`0x${byte.repeat(20)}`));
/** Errors of the constructor and of the revoker's call, which no bidder sees. */
const NOT_OF_BIDS = ["ZeroSaleUUID", "NoSigner", "ZeroSigner", "NotRevoker"];

describe("the errors in docs/permit-hook.md", () => {
  it("are those of the hook", () => {
    const listed = tableRows(page, "error").flatMap(([cell = ""]) => codeSpans(cell));
    const errors = abi.flatMap((entry) => (entry.type === "error" ? [entry] : []));
    const ofBids = errors.filter(({ name }) => !NOT_OF_BIDS.includes(name));
    expect(listed.sort()).toEqual(ofBids.map((entry) => formatAbiItem(entry, { includeName: true })).sort());
  });
});

describe.skipIf(findAnvil() === undefined)("the programs in docs/permit-hook.md (anvil)", () => {
  let anvil: Anvil;
  let chain: TestChain;
  let folder: TemporaryFolder;

  beforeAll(async () => {
    anvil = await startAnvil({ mining: "auto" });
    chain = await TestChain.connect(anvil);
    folder = await temporaryFolder();
    for (const name of ["node_modules", "contracts", "package.json"]) {
      await symlink(join(REPOSITORY_ROOT, name), join(folder.path, name));
    }
    const [deploy = "", check = ""] = codeBlocks(page, "ts").map(({ code }) => code);
    await writeFile(join(folder.path, "deploy-hook.ts"), deploy);
    await writeFile(join(folder.path, "check-hook.ts"), check);
  });
  afterAll(async () => {
    await anvil?.stop();
    await folder?.remove();
  });

  async function printed(command: string, ...args: readonly string[]): Promise<string> {
    const settings = { PRIVATE_KEY, SALE_UUID, SIGNERS: `${SIGNER},${NEXT_SIGNER}`, REVOKER };
    const env = { ...process.env, ...settings, RPC_URL: anvil.url };
    return (await run(command, args, { cwd: folder.path, env })).stdout;
  }

  const program = (...args: readonly string[]) => printed(process.execPath, ...args);
  const shell = (commands: string) => printed("bash", "-c", commands);

  it("deploy a hook, and check what was deployed", async () => {
    const [, hook = "", transaction = ""] =
      /^success: hook (0x\w{40}), transaction (0x\w{64})\n$/.exec(await program("deploy-hook.ts")) ?? [];
    const saleUuid = `0x${SALE_UUID.replaceAll("-", "")}`;
    const expected = { saleUuid, signers: [SIGNER, NEXT_SIGNER], revoker: REVOKER };
    expect(JSON.parse(await program("check-hook.ts", transaction))).toEqual({ hook, ...expected });
    const contract = { address: hook as Hex, abi } as const;
    expect(await chain.client.readContract({ ...contract, functionName: "saleUUID" })).toBe(saleUuid);
    for (const signer of [SIGNER, NEXT_SIGNER]) {
      const args = [SIGNER_ROLE, signer ?? "0x"] as const;
      expect(await chain.client.readContract({ ...contract, functionName: "hasRole", args })).toBe(true);
    }
  });

  it("read the settings that the page exports", () => {
    const [commands = ""] = codeBlocks(page, "sh").map(({ code }) => code);
    const [, read = ""] = /const \{ (.*) \} = process\.env/.exec(page) ?? [];
    expect([...commands.matchAll(/(\w+)=/g)].map(([, name]) => name).sort()).toEqual(read.split(", ").sort());
    expect(commands).toContain("npx node deploy-hook.ts");
  });

  it("send the same as cast does", async () => {
    const [, commands = ""] = codeBlocks(page, "sh").map(({ code }) => code);
    const printing = `cast() { printf '%s\\n' "$@"; }\n${commands}`;
    const lines = (await shell(printing)).split("\n");
    const [code, signature, saleUuid, signers, revoker] = lines.slice(lines.indexOf("--create") + 1);
    expect(code).toBe(purchasePermitHook.bytecode);
    const types = abi.flatMap((entry) => (entry.type === "constructor" ? entry.inputs.map(({ type }) => type) : []));
    expect(signature).toBe(`constructor(${types.join()})`);
    expect([saleUuid, signers, revoker]).toEqual([
      `0x${SALE_UUID.replaceAll("-", "")}`,
      `[${SIGNER},${NEXT_SIGNER}]`,
      REVOKER,
    ]);
  });

  it("refuse another contract", async () => {
    const hash = await chain.client.deployContract({ abi: [], bytecode: "0x00", account: chain.account, chain: null });
    await chain.client.waitForTransactionReceipt({ hash, checkReplacement: false });
    await expect(program("check-hook.ts", hash)).rejects.toThrow("this is no such hook");
  });
});
