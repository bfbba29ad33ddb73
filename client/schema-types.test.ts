import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openApiDocument } from "../gateway/openapi/openapi-document.ts";
import { temporaryFolder } from "../test/support/processes/temporary-folder.ts";
import { REPOSITORY_ROOT, readRepository } from "../test/support/repository/repository.ts";

/** The client's types by the schema that each of them must be equal to. */
const TYPES = {
  CommitmentData: "CommitmentData",
  Commitment: "Commitment",
  WalletTokenAmount: "WalletTokenAmount",
  CommitmentDataDifference: "Difference",
  FeedState: "FeedState",
  Sale: "Sale",
  SaleEvent: "SaleFacts",
  OfferedToken: "OfferedToken",
  PaymentToken: "PaymentToken",
  SaleContract: "SaleContract",
  ReadPositionRequest: "PositionRequest",
  Position: "Position",
  PositionCommitment: "PositionCommitment",
  PositionAllocation: "PositionAllocation",
  Tokens: "Tokens",
  Profile: "Profile",
  EntityDetails: "Entity",
  EntityRequest: "EntityRequest",
  PurchaseRequest: "PurchaseRequest",
  PurchaseCheck: "PurchaseCheck",
  Permit: "Permit",
  SignedPermit: "SignedPermit",
  LimitsRequest: "LimitsRequest",
  Limits: "Limits",
  Investment: "Investment",
} as const;

/** The calls' answers that have no name in the client, by their schema. */
const ANSWERS = {
  Entities: '"listAvailableEntities"',
  OneEntity: '"readEntity"',
  Investments: '"investmentHistory"',
} as const;

/** Types of the client that are no data of the API, or a part of a type above. */
const OTHERS = [
  ...["AccessToken", "Application", "AuthorizeOptions", "CallOptions", "Connection", "FollowOptions", "Server"],
  ...["SignInAttempt", "Snapshot", "TidemarkErrorOptions"],
  ...["Digits", "Hex", "Totals", "EntitySetupState", "FailureReason", "SaleEligibility", "SaleStage"],
];

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
type Schemas = Readonly<Record<string, Schema>>;

const AUTH = { publicBaseUrl: "https://tidemark.example", authUrl: "https://tidemark.example" };
const SCHEMAS = (
  openApiDocument({ pathPrefix: "svc", auth: AUTH, hasPublicCalls: true })["components"] as { schemas: Schemas }
).schemas;

/** Returns a schema as a TypeScript type. */
function typeOf(schema: Schema): string {
  const { $ref, type, oneOf, items, properties, required = [] } = schema;
  if ($ref !== undefined) return `Schemas["${$ref.split("/").at(-1)}"]`;
  const literals = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (literals !== undefined) return literals.map((value) => JSON.stringify(value)).join(" | ");
  if (oneOf !== undefined) return oneOf.map(typeOf).join(" | ");
  if (type === "array") return `readonly (${typeOf(items ?? {})})[]`;
  if (type === "object" && properties === undefined) return "Readonly<Record<string, unknown>>";
  if (type !== "object") return type === "integer" ? "number" : (type ?? "unknown");
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => `readonly ${name}${required.includes(name) ? "" : "?"}: ${typeOf(field)};`,
  );
  return `{ ${fields.join(" ")} }`;
}

/** A program that compiles only if the client's types are equal to schemas. Each comparison has a line of its own. */
function comparison(schemas: Schemas): string {
  const equal = (client: string, schema: string) =>
    `true satisfies Equal<${client}, Schemas["${schema}"]>; // ${schema}`;
  return [
    `import type * as client from ${JSON.stringify(join(REPOSITORY_ROOT, "client/index.ts"))};`,
    // Identical, not merely assignable: neither a field too many nor an optional one passes.
    "type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;",
    "type Answer<Name extends keyof client.UserCalls> = Awaited<ReturnType<client.UserCalls[Name]>>;",
    "interface Schemas {",
    ...Object.entries(schemas).map(([name, schema]) => `  ${name}: ${typeOf(schema)};`),
    "}",
    ...Object.entries(TYPES).map(([schema, name]) => equal(`client.${name}`, schema)),
    ...Object.entries(ANSWERS).map(([schema, call]) => equal(`Answer<${call}>`, schema)),
  ].join("\n");
}

/** Compares all types with schemas. @returns the names of the schemas to which a type isn't equal, ascending */
async function differences(schemas: Schemas): Promise<string[]> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const text = comparison(schemas);
  const file = join(folder.path, "comparison.ts");
  writeFileSync(file, text);
  const flags = ["--strict", "--noEmit", "--exactOptionalPropertyTypes", "--allowImportingTsExtensions"];
  const options = [
    "--ignoreConfig",
    "--module",
    "nodenext",
    "--target",
    "es2024",
    "--lib",
    "es2024,dom,dom.asynciterable",
  ];
  const { stdout } = spawnSync("tsc", [...flags, ...options, "--types", "", "--pretty", "false", file], {
    encoding: "utf8",
  });
  const lines = [...stdout.matchAll(/comparison\.ts\((\d+),\d+\): error TS1360/g)].map(([, line]) => Number(line));
  const isOther = stdout.split("\n").some((line) => /error TS(?!1360)/.test(line));
  if (isOther) throw new Error(stdout);
  return lines.map((line) => text.split("\n")[line - 1]?.split("// ")[1] ?? "").toSorted();
}

it("every type of the client is equal to its schema of the OpenAPI document", async () => {
  expect(await differences(SCHEMAS)).toEqual([]);
});

it("a difference of any kind would be found", async () => {
  const changed = (name: string, change: (schema: Schema) => Schema) => ({ [name]: change(SCHEMAS[name] ?? {}) });
  const withField = (name: string, field: Schema) => (schema: Schema) => ({
    ...schema,
    properties: { ...schema.properties, [name]: field },
  });
  const found = await differences({
    ...SCHEMAS,
    ...changed("Limits", withField("More", { type: "string" })),
    ...changed("Permit", (schema) => ({ ...schema, required: schema.required?.slice(1) ?? [] })),
    ...changed("EntityDetails", withField("EntityType", { enum: ["user", "organization", "trust"] })),
    ...changed("Profile", withField("EntityID", { type: "integer" })),
  });
  // A type that contains a changed one isn't equal either.
  expect(found).toEqual(["Entities", "EntityDetails", "Limits", "OneEntity", "Permit", "Profile", "SignedPermit"]);
});

it("no type that the client exports is left out", () => {
  const exported = [...readRepository("client/index.ts").matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(
    ([, allTypes, names = ""]) =>
      names.split(",").flatMap((text) => {
        const name = text.trim();
        return allTypes || name.startsWith("type ") ? [name.replace("type ", "")] : [];
      }),
  );
  const compared: readonly string[] = Object.values(TYPES);
  expect([...compared, ...OTHERS].toSorted()).toEqual(exported.filter((name) => name !== "").toSorted());
});
