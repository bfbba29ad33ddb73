import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { FreezeSchema } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { Command, CommandInput } from "../base/command.ts";
import { requireEntityId } from "../input/entity-id.ts";
import { alignColumns } from "../output/align-columns.ts";
import { messageJson } from "../output/message-json.ts";
import { paintFor } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";
import { timeText } from "../output/time-text.ts";
import { write } from "../output/write.ts";
import { unexpiredText } from "./permit-text.ts";

const DETAILS = "ENTITY-ID is the entity's ID in the sale's contract: 0x and 32 hexadecimal digits.";

export const freezeAdd: Command = {
  name: "freeze add",
  positionals: ["SALE-UUID", "ENTITY-ID"],
  summary: "issue no more permits of a sale to one entity",
  details: `${DETAILS} It needn't be known yet.`,
  options: { note: { type: "string", value: "TEXT", help: "for the sale's members; never shown to the user" } },
  flags: { note: ["note"] },
  run: (input, context) => setFreeze(input, context, true),
};

export const freezeRemove: Command = {
  name: "freeze remove",
  positionals: ["SALE-UUID", "ENTITY-ID"],
  summary: "let a frozen entity have permits of a sale again",
  details: DETAILS,
  options: {},
  run: (input, context) => setFreeze(input, context, false),
};

export const freezeList: Command = {
  name: "freeze list",
  positionals: ["SALE-UUID"],
  summary: "list the frozen entities of a sale, the newest first",
  options: { json: { type: "boolean", help: "as a JSON list for programs" } },
  async run(input, { eligibility, output, signal }) {
    const [saleUuid = ""] = input.positionals;
    const { freezes } = await eligibility.listFreezes({ saleUuid }, { signal });
    const header = ["ENTITY", "SINCE", "NOTE"].map((name) => paintFor(output)("bold", name));
    const rows = freezes.map(({ saleSpecificEntityId, since, note }) => [
      `0x${hexOfBytes(saleSpecificEntityId)}`,
      timeText(since),
      terminalText(note),
    ]);
    const json = () => freezes.map((freeze) => messageJson(FreezeSchema, freeze));
    await write(output, `${input.flag("json") ? JSON.stringify(json(), null, 2) : alignColumns([header, ...rows])}\n`);
  },
};

async function setFreeze(input: CommandInput, { eligibility, output, signal }: CliContext, frozen: boolean) {
  const [saleUuid = "", id = ""] = input.positionals;
  const saleSpecificEntityId = requireEntityId(id, "ENTITY-ID");
  const request = { saleUuid, saleSpecificEntityId, frozen, note: input.text("note") ?? "" };
  const { unexpiredPermits } = await eligibility.setFreeze(request, { signal });
  const state = frozen ? `is frozen; ${unexpiredText(unexpiredPermits)}` : "may have permits again";
  await write(output, `0x${hexOfBytes(saleSpecificEntityId)} ${state}\n`);
}
