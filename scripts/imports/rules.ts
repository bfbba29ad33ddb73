import { readdirSync } from "node:fs";
import { SQL } from "./import-graph.ts";

/**
 * One thing that a group of files may or may not import. In a pattern `*` stands for a name, `**` for any path, and `{a,b}` for either.
 * Packages are matched by their names, as in `kysely` or `node:fs`; an imported `CommitmentService` of a proto by the file's path and
 * `#service`.
 */
export interface ImportRule {
  /** Number of the rule in the list below, by which exceptions name it. */
  readonly rule: number;
  /** Files that the rule is about. */
  readonly of: readonly string[];
  /** Files below `of` that the rule is not about. */
  readonly except?: readonly string[];
  /** Patterns of all that these files may import. */
  readonly only?: readonly string[];
  /** Imports that are forbidden, unless `but` names them. */
  readonly never?: readonly string[];
  readonly but?: readonly string[];
}

/** Every import of a file, as against one of a package. */
const REPOSITORY = ["{client,common,contracts,gateway,proto,scripts,services,test}/**"];
const SERVICES = ["auth", "commitments", "entities", "indexer", "cli", "demo"];
const SURFACES = [
  "account",
  "dashboard",
  "oauth",
  "openapi",
  "public-calls",
  "public-read",
  "sale-page",
  "sign-in",
  "streams",
];
/** Folders of `common/contracts` with a family of contracts each. */
const CONTRACT_FAMILIES = readdirSync(new URL("../../common/contracts/", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["reading", "connecting"].includes(entry.name))
  .map(({ name }) => name);
const STORES = ["services/{auth,commitments,entities}/**/*-{store,rows,tables}.ts"];
const STORE_FOLDERS = ["services/*/{base,outbox,changing}/**"];
const ENTRIES = ["{services,gateway}/**/{main,routes}.ts", "services/*/*-service.ts"];
const PROCESSES = [...ENTRIES, "services/embedded.ts", "services/embedded/**"];

/** Surfaces that a surface may import besides itself. */
const ALLOWED_SURFACES: Readonly<Record<string, readonly string[]>> = {
  account: ["sign-in"],
  dashboard: ["sale-page"],
  oauth: ["sign-in"],
  openapi: SURFACES,
  "sale-page": ["public-read"],
  streams: ["public-read"],
};

/**
 * The rules of the layout (docs/architecture.md). Rule 12 (only chains, contracts and verify name a family of chains) and rule 13 (no
 * circle of files or of folders) are checked by `chain-families.ts` and `import-cycles.ts`.
 */
export const IMPORT_RULES: readonly ImportRule[] = [
  // 1. The platform knows no sale and no service.
  {
    rule: 1,
    of: ["common/platform/**"],
    never: REPOSITORY,
    but: ["common/platform/**", "proto/gen/{grpc/health,tidemark/secrets,tidemark/status}/**"],
  },
  // 2. Chains know no sale contract.
  { rule: 2, of: ["common/chains/**"], never: REPOSITORY, but: ["common/chains/**", "common/platform/**"] },
  { rule: 2, of: ["common/chains/base/**"], never: ["common/chains/**"], but: ["common/chains/base/**"] },
  { rule: 2, of: ["common/chains/evm/**"], never: ["common/chains/svm/**"] },
  { rule: 2, of: ["common/chains/svm/**"], never: ["common/chains/evm/**"] },
  // 3. A sale is pure: no network, file, clock or database, and no RPC.
  {
    rule: 3,
    of: ["common/sale/**"],
    only: [
      ...[
        "common/sale/**",
        "common/chains/base/**",
        "common/chains/*.ts",
        "common/platform/{encoding,errors,names,language}/**",
      ],
      ...[
        "proto/gen/tidemark/**/*_pb.ts",
        "@bufbuild/protobuf{,/reflect}",
        "canonicalize",
        "csv-parse",
        "node:{buffer,crypto,stream,util}",
        "viem/utils",
      ],
    ],
  },
  // 4. Contracts stand on chains and sales. A family of contracts knows no other family and no reader, and the reader knows no family.
  {
    rule: 4,
    of: ["common/contracts/**"],
    never: REPOSITORY,
    but: ["common/{contracts,sale,chains,platform}/**", "proto/gen/tidemark/**"],
  },
  ...[...CONTRACT_FAMILIES, "reading"].map((name) => ({
    rule: 4,
    of: [`common/contracts/${name}/**`],
    never: ["common/contracts/**"],
    but: [`common/contracts/{${name}/**,*.ts}`],
  })),
  { rule: 4, of: ["common/contracts/*.ts"], never: ["common/contracts/*/**"] },
  { rule: 4, of: ["common/contracts/*/evm/**"], never: ["common/*/{svm,*/svm}/**"] },
  { rule: 4, of: ["common/contracts/*/svm/**"], never: ["common/*/{evm,*/evm}/**"] },
  // 5. What is common knows nothing of a service or of the gateway.
  { rule: 5, of: ["common/**"], never: ["services/**", "gateway/**", "scripts/**"] },
  { rule: 5, of: ["common/verify/**"], never: ["common/internal-api/**"] },
  {
    rule: 5,
    of: ["common/{platform,chains,sale,contracts,internal-api}/**"],
    never: ["client/**", "common/verify/**"],
  },
  {
    rule: 5,
    of: ["common/internal-api/**"],
    never: ["common/**"],
    but: ["common/{internal-api,sale,chains,platform}/**"],
  },
  // 6. No service imports another: they call each other by generated clients, as does the gateway.
  ...SERVICES.map((name) => ({
    rule: 6,
    of: [`services/${name}/**`],
    never: ["services/**", "gateway/**"],
    but: [`services/${name}/**`],
  })),
  { rule: 6, of: ["gateway/**", "client/**"], never: ["services/**"] },
  // 7. The base of a service or of a surface knows no subject, and nothing but a process imports what starts one.
  { rule: 7, of: ["services/*/base/**"], never: ["services/**"], but: ["services/*/base/**"] },
  { rule: 7, of: ["gateway/dashboard/base/**"], never: ["gateway/dashboard/**"], but: ["gateway/dashboard/base/**"] },
  { rule: 7, of: ["services/*/*/**"], except: ["services/embedded/**"], never: ["services/*/*.ts"] },
  { rule: 7, of: ["{common,services,gateway,client}/**"], except: PROCESSES, never: ENTRIES },
  // 8. A store knows no RPC and no messages; nothing else builds SQL.
  { rule: 8, of: STORES, never: ["proto/**", "services/**/*-rpc.ts", "services/**/rpc/**", "@connectrpc/**"] },
  {
    rule: 8,
    of: ["{common,services,gateway}/**"],
    except: [...STORES, ...STORE_FOLDERS, "common/platform/**"],
    never: [SQL],
  },
  // 9. A domain knows neither its service nor a message.
  { rule: 9, of: ["services/*/**/domain/**"], never: REPOSITORY, but: ["services/*/**/domain/**", "common/**"] },
  // 10. A surface knows no other, and what they share knows none of them.
  { rule: 10, of: ["gateway/web/**"], never: ["gateway/**"], but: ["gateway/web/**"] },
  { rule: 10, of: ["gateway/*/**"], never: ["gateway/*.ts"] },
  ...SURFACES.map((name) => ({
    rule: 10,
    of: [`gateway/${name}/**`],
    never: ["gateway/**"],
    but: ["web", name, ...(ALLOWED_SURFACES[name] ?? [])].map((folder) => `gateway/${folder}/**`),
  })),
  // 11. The client stands alone, and only tests import helpers of tests.
  { rule: 11, of: ["client/**"], never: REPOSITORY, but: ["client/**"] },
  { rule: 11, of: ["{common,services,gateway,client}/**"], never: ["test/**", "**/testing/**", "vitest", "vitest/**"] },
];
