import type { JsonObject } from "@bufbuild/protobuf";
import {
  CountPermitsResponseSchema,
  type PermitRecord,
  PermitRecordSchema,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { allPages, PAGE_SIZE } from "../base/all-pages.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { requireEntityId } from "../input/entity-id.ts";
import { LIMIT_OPTION, limitOf } from "../input/limit.ts";
import { limited } from "../output/limited.ts";
import { messageJson } from "../output/message-json.ts";
import { paintFor } from "../output/paint.ts";
import { write } from "../output/write.ts";
import { permitCounts, permitTable } from "./permit-text.ts";
import { amountDecimals, readTakingPart } from "./read-taking-part.ts";

export const permitList: Command = {
  name: "permit list",
  positionals: ["SALE-UUID"],
  summary: "list the permits that were issued for a sale, the newest first",
  options: {
    entity: { type: "string", value: "ID", help: "only of the entity with this ID in the sale's contract" },
    ...LIMIT_OPTION,
    json: { type: "boolean", help: "as a JSON list for programs; amounts are in smallest units, prices in ticks" },
  },
  flags: { sale_specific_entity_id: ["entity"] },
  async run(input, context) {
    const [saleUuid = ""] = input.positionals;
    const limit = limitOf(input);
    const { definition } = await readTakingPart(context, saleUuid);
    const permits = await limited(allPermits(saleUuid, entityOf(input), context), limit, context);
    const table = () => permitTable(permits, amountDecimals(definition), paintFor(context.output));
    await write(context.output, `${input.flag("json") ? JSON.stringify(permits.map(permitJson), null, 2) : table()}\n`);
  },
};

export const permitCount: Command = {
  name: "permit count",
  positionals: ["SALE-UUID"],
  summary: "count the permits of a sale, in all and by the hour",
  options: { json: { type: "boolean", help: "as JSON for programs" } },
  async run(input, { permits, output, signal }) {
    const [saleUuid = ""] = input.positionals;
    const counts = await permits.countPermits({ saleUuid }, { signal });
    const json = () => messageJson(CountPermitsResponseSchema, counts);
    await write(output, `${input.flag("json") ? JSON.stringify(json(), null, 2) : permitCounts(counts)}\n`);
  },
};

/** A permit for programs: the JSON form of `PermitRecord`, in which `Client` is an application. */
function permitJson(permit: PermitRecord): JsonObject {
  const { clientUuid = "", ...others } = messageJson(PermitRecordSchema, permit);
  return { ...others, applicationUuid: clientUuid };
}

function entityOf(input: CommandInput): Uint8Array<ArrayBuffer> {
  const text = input.text("entity");
  return text === undefined ? new Uint8Array() : requireEntityId(text, "--entity");
}

function allPermits(
  saleUuid: string,
  saleSpecificEntityId: Uint8Array<ArrayBuffer>,
  { permits, signal }: CliContext,
): AsyncGenerator<PermitRecord> {
  return allPages(async (pageToken) => {
    const request = { saleUuid, saleSpecificEntityId, pageSize: PAGE_SIZE, pageToken };
    const page = await permits.listPermits(request, { signal });
    return { items: page.permits, nextPageToken: page.nextPageToken };
  });
}
