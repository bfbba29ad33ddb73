import { randomUUID } from "node:crypto";
import { enumNames, enumNumber } from "../../../common/platform/encoding/enum-name.ts";
import {
  SaleDefinitionSchema,
  type Tenancy,
  TenancySchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { UsageError } from "../base/cli-error.ts";
import type { Command } from "../base/command.ts";
import { messageOfJson, readJsonFile } from "../input/json-file.ts";
import { write } from "../output/write.ts";
import { DEFINITION_FLAGS, DEFINITION_OPTIONS, definitionOfFlags, mergeDefinitions } from "./definition-flags.ts";
import { PRICE_OPTIONS, withPrices } from "./price-flags.ts";
import { withStatedTerms } from "./stated-definition.ts";

/** Prints only the UUID, so that scripts can use it. */
export const saleCreate: Command = {
  name: "sale create",
  positionals: [],
  summary: "create a draft and print its UUID",
  details: `The definition comes from --file, from options, or both. An option overrides the file. Where it names a contract that is a Continuous
Clearing Auction, and no price, the contract says the rest: prices, what is sold, and what it is paid in.`,
  options: {
    file: { type: "string", value: "FILE", help: "the definition in JSON, as `sale show --json` prints it" },
    tenancy: { type: "string", value: "test|live", help: "`test` by default; it can't be changed later" },
    uuid: { type: "string", value: "UUID", help: "its UUID; random by default" },
    owner: { type: "string", value: "UUID", help: "the account that owns it" },
    ...DEFINITION_OPTIONS,
    ...PRICE_OPTIONS,
  },
  flags: { sale_uuid: ["uuid"], owner_account_uuid: ["owner"], tenancy: ["tenancy"], ...DEFINITION_FLAGS },
  async run(input, context) {
    const { sales, output, signal } = context;
    const tenancy = tenancyOf(input.text("tenancy") ?? "test");
    const flags = definitionOfFlags(input);
    const file = input.text("file");
    const merged = mergeDefinitions(file === undefined ? {} : await readJsonFile(file), flags);
    const stated = await withStatedTerms(withPrices(input, merged), context);
    const definition = messageOfJson(SaleDefinitionSchema, stated);
    const saleUuid = input.text("uuid") ?? randomUUID();
    const ownerAccountUuid = input.text("owner") ?? "";
    const request = { saleUuid, tenancy, definition, ownerAccountUuid };
    const { sale } = await sales.createSale(request, { signal });
    await write(output, `${sale?.uuid ?? saleUuid}\n`);
  },
};

function tenancyOf(name: string): Tenancy {
  const tenancy = enumNumber(TenancySchema, name);
  if (tenancy === undefined) throw new UsageError(`--tenancy expects one of ${enumNames(TenancySchema).join(", ")}`);
  return tenancy;
}
