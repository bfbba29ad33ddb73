import { enumName } from "../../../common/platform/encoding/enum-name.ts";
import { knowledgeText, nextSteps } from "../../../common/sale/words/signer-steps.ts";
import {
  type PermitKey,
  PermitKeySchema,
  PermitKeyStatusSchema,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { CliContext } from "../base/cli-context.ts";
import type { Command } from "../base/command.ts";
import { alignColumns } from "../output/align-columns.ts";
import { messageJson } from "../output/message-json.ts";
import { type Paint, paintFor } from "../output/paint.ts";
import { terminalText } from "../output/terminal-text.ts";
import { timeText } from "../output/time-text.ts";
import { write } from "../output/write.ts";

export const permitKeyList: Command = {
  name: "permit-key list",
  positionals: ["SALE-UUID"],
  summary: "list the keys that sign a sale's permits, whether its contract knows them, and what to do next",
  options: { json: { type: "boolean", help: "as a JSON list for programs" } },
  async run(input, context) {
    const [saleUuid = ""] = input.positionals;
    if (!input.flag("json")) return showKeys(saleUuid, context);
    const { keys } = await context.permits.listKeys({ saleUuid }, { signal: context.signal });
    const list = keys.map((key) => messageJson(PermitKeySchema, key));
    await write(context.output, `${JSON.stringify(list, null, 2)}\n`);
  },
};

export const permitKeyCreate: Command = {
  name: "permit-key create",
  positionals: ["SALE-UUID"],
  summary: "create the next key that will sign a sale's permits",
  details: "It signs once it is active. Before that, the sale's contract has to know its address.",
  options: {},
  async run({ positionals: [saleUuid = ""] }, context) {
    await context.permits.createKey({ saleUuid }, { signal: context.signal });
    await showKeys(saleUuid, context);
  },
};

export const permitKeyActivate: Command = {
  name: "permit-key activate",
  positionals: ["SALE-UUID", "KEY-UUID"],
  summary: "let the next key sign from now on, and the active one no more",
  details: "Refused while the sale's contract doesn't know the key, or can't be asked.",
  options: {
    override: { type: "boolean", help: "activate it although the contract doesn't know it or can't be asked" },
  },
  flags: { override: ["override"] },
  async run(input, context) {
    const [saleUuid = "", keyUuid = ""] = input.positionals;
    const request = { saleUuid, keyUuid, override: input.flag("override") };
    await context.permits.activateKey(request, { signal: context.signal });
    await showKeys(saleUuid, context);
  },
};

export const permitKeyRetire: Command = {
  name: "permit-key retire",
  positionals: ["SALE-UUID", "KEY-UUID"],
  summary: "delete a key that doesn't sign",
  details: "Refused for the active key, and for one whose permits may be valid still.",
  options: {},
  async run({ positionals: [saleUuid = "", keyUuid = ""] }, context) {
    await context.permits.retireKey({ saleUuid, keyUuid }, { signal: context.signal });
    await showKeys(saleUuid, context);
  },
};

async function showKeys(saleUuid: string, { permits, output, signal }: CliContext): Promise<void> {
  const { keys } = await permits.listKeys({ saleUuid }, { signal });
  const steps = nextSteps(keys);
  await write(output, `${permitKeyTable(keys, paintFor(output))}\n\n${stepsText(steps)}\n`);
}

/** A table of the keys of a sale. */
export function permitKeyTable(keys: readonly PermitKey[], paint: Paint): string {
  const rows = keys.map((key) => [
    key.keyUuid,
    enumName(PermitKeyStatusSchema, key.status) ?? "unknown",
    key.address,
    terminalText(key.chain),
    key.remote ? "remote" : "here",
    timeText(key.activatedAt),
    terminalText(knowledgeText(key)),
  ]);
  const header = ["UUID", "STATUS", "ADDRESS", "CHAIN", "HELD", "SIGNS SINCE", "CONTRACT"];
  return alignColumns([header.map((name) => paint("bold", name)), ...rows]);
}

/** The next steps for the keys, one on each line. */
export function stepsText(steps: readonly { readonly text: string; readonly call?: string }[]): string {
  return steps.map(({ text, call }) => `next: ${text}${call === undefined ? "" : `\n  ${call}`}`).join("\n");
}
