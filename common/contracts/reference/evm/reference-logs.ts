import type { FamilyLogs } from "../../evm-family.ts";
import { ROW_TOPICS, STAGE_TOPIC } from "./abi.ts";
import { paddedId } from "./padded-id.ts";

const ROW_TOPIC_LIST = Object.values(ROW_TOPICS);
const ROW_TOPIC_SET: ReadonlySet<unknown> = new Set(ROW_TOPIC_LIST);
/** Where the second topic has the digits of the entity's ID, after `0x`. */
const ENTITY = [2, 34] as const;

/** The logs of the reference contract. Those of rows name an entity, and so the one commitment that it has. */
export const REFERENCE_LOGS: FamilyLogs = {
  topics: [...ROW_TOPIC_LIST, STAGE_TOPIC],
  meaningOf([topic, entity]) {
    if (ROW_TOPIC_SET.has(topic) && entity !== undefined) {
      return { kind: "row", commitmentId: paddedId(entity.slice(...ENTITY)) };
    }
    return { kind: topic === STAGE_TOPIC ? "stage" : "unknown" };
  },
  namedId: ({ entityId }) => paddedId(entityId),
  topicsOf: ({ entityId }) => [ROW_TOPIC_LIST, `0x${paddedId(entityId)}`],
};
