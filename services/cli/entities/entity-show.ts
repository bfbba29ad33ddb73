import {
  DisputedWalletSchema,
  EntitySchema,
  LinkedWalletSchema,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { Command } from "../base/command.ts";
import { required } from "../base/required.ts";
import { messageJson } from "../output/message-json.ts";
import { write } from "../output/write.ts";
import { entityText } from "./entity-text.ts";

export const entityShow: Command = {
  name: "entity show",
  positionals: ["UUID"],
  summary: "show an entity: its type and country, the state of its set-up, and its wallets",
  details: "UUID is the entity's own, as `review list` prints it, and not the one that a sale's applications see.",
  options: { json: { type: "boolean", help: "as JSON for programs" } },
  async run(input, { entities, output, signal }) {
    const [entityUuid = ""] = input.positionals;
    const answer = await entities.getEntity({ entityUuid }, { signal });
    const entity = required(answer, "entity");
    const json = () => ({
      ...messageJson(EntitySchema, entity),
      wallets: answer.wallets.map((wallet) => messageJson(LinkedWalletSchema, wallet)),
      disputedWallets: answer.disputedWallets.map((wallet) => messageJson(DisputedWalletSchema, wallet)),
    });
    const text = input.flag("json") ? JSON.stringify(json(), null, 2) : entityText(entity, answer);
    await write(output, `${text}\n`);
  },
};
