import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import solc from "solc";

/** Contracts that founders deploy and code of calls, and contracts of tests and of the demo, which may import the former. */
const FOLDERS = ["contracts", "test/contracts"];

/** The contracts to compile, with the paths of their artefacts. Production code may not import from test/. */
const ARTEFACTS: Readonly<Record<string, string>> = {
  "contracts/PurchasePermitHook": "contracts/purchase-permit-hook.ts",
  "contracts/AuctionTermsCode": "common/contracts/cca/auction-terms-code.ts",
  "contracts/AuctionBidsCode": "common/contracts/cca/auction-bids-code.ts",
  "contracts/AuctionCourseCode": "common/contracts/cca/auction-course-code.ts",
  "contracts/AuctionCheckpointsCode": "common/contracts/cca/auction-checkpoints-code.ts",
  "contracts/AuctionTicksCode": "common/contracts/cca/auction-ticks-code.ts",
  "test/contracts/PermitSale": "services/demo/chain/permit-sale.ts",
  "test/contracts/FreeToken": "services/demo/chain/free-token.ts",
  "test/contracts/ContinuousAuction": "services/demo/chain/continuous-auction.ts",
  "test/contracts/BidBatch": "test/contracts/artefacts/bid-batch.ts",
  "test/contracts/AuctionSale": "test/contracts/artefacts/auction-sale.ts",
  "test/contracts/SaleVersion1": "test/contracts/artefacts/sale-version-1.ts",
  "test/contracts/SaleVersion2": "test/contracts/artefacts/sale-version-2.ts",
  "test/contracts/SmartAccount": "test/contracts/artefacts/smart-account.ts",
  "test/contracts/UnreliableSale": "test/contracts/artefacts/unreliable-sale.ts",
  "test/contracts/SilentSale": "test/contracts/artefacts/silent-sale.ts",
  "test/contracts/WideSale": "test/contracts/artefacts/wide-sale.ts",
  "test/contracts/ManyPerEntitySale": "test/contracts/artefacts/many-per-entity-sale.ts",
};

/** Contracts whose code the demo puts at addresses of its choice. They have no constructor. */
const PLACED: ReadonlySet<string> = new Set(["test/contracts/FreeToken"]);

/** A generated module. */
export interface Artefact {
  /** Relative to the repository's root. */
  readonly path: string;
  readonly text: string;
}

interface CompilerOutput {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, Compiled>>>>;
}

interface Code {
  /** Hex without `0x`. */
  readonly object: string;
}

interface Compiled {
  readonly abi: readonly unknown[];
  readonly evm: { readonly bytecode: Code; readonly deployedBytecode: Code };
}

/**
 * Compiles the contracts of contracts/ and test/contracts/.
 *
 * @param root the repository's root folder.
 * @throws Error with the compiler's messages if there are any, warnings included.
 */
export async function compileContracts(root: string): Promise<Artefact[]> {
  const output: CompilerOutput = JSON.parse(solc.compile(JSON.stringify(compilerInput(await readSources(root)))));
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join("\n"));
  return Object.entries(ARTEFACTS).map(([source, path]) => ({
    path,
    text: moduleText(source, compiled(output, source)),
  }));
}

/** Returns the paths of artefacts that are missing or differ from what the sources compile to. */
export async function staleArtefacts(root: string): Promise<string[]> {
  const stale: string[] = [];
  for (const { path, text } of await compileContracts(root)) {
    const current = await readFile(join(root, path), "utf8").catch(() => undefined);
    if (current !== text) stale.push(path);
  }
  return stale;
}

async function readSources(root: string): Promise<Record<string, { readonly content: string }>> {
  const lists = await Promise.all(
    FOLDERS.map(async (folder) => (await readdir(join(root, folder))).map((name) => `${folder}/${name}`)),
  );
  const files = lists.flat().filter((path) => path.endsWith(".sol"));
  const read = async (path: string) => [path, { content: await readFile(join(root, path), "utf8") }] as const;
  return Object.fromEntries(await Promise.all(files.sort().map(read)));
}

function compilerInput(sources: Record<string, { readonly content: string }>): object {
  return {
    language: "Solidity",
    sources,
    settings: {
      // Every chain since the Merge supports it.
      evmVersion: "paris",
      optimizer: { enabled: true, runs: 10_000 },
      viaIR: true,
      // With metadata, a changed comment would change the bytecode.
      metadata: { appendCBOR: false, bytecodeHash: "none" },
      outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
}

function compiled(output: CompilerOutput, path: string): Compiled {
  const contract = output.contracts[`${path}.sol`]?.[basename(path)];
  if (contract === undefined) throw new Error(`${path}.sol has no contract of its name`);
  return contract;
}

/** Text of the module. It is a module instead of JSON because viem needs the literal types of the ABI. */
function moduleText(path: string, { abi, evm }: Compiled): string {
  const name = basename(path);
  const exported = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return [
    "// biome-ignore-all format: generated by `npm run contracts`, one entry of the ABI a line",
    `/** ${path}.sol as compiled. */`,
    `export const ${exported} = {`,
    "  abi: [",
    ...abi.map((entry) => `    ${JSON.stringify(entry)},`),
    "  ],",
    `  bytecode: "0x${evm.bytecode.object}",`,
    ...(PLACED.has(path) ? [`  deployedBytecode: "0x${evm.deployedBytecode.object}",`] : []),
    "} as const;",
    "",
  ].join("\n");
}
