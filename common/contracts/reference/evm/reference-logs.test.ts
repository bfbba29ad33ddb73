import { expect, it } from "vitest";
import { rowLog, saleRow } from "../../../../test/support/chains/evm-chain.ts";
import { ROW_TOPICS, STAGE_TOPIC } from "./abi.ts";
import { REFERENCE_LOGS } from "./reference-logs.ts";

const row = { ...saleRow(258), sourceIndex: 0n };
const named = { kind: "row", commitmentId: row.commitmentId };
const OTHER_TOPIC = `0x${"1".repeat(64)}`;

it.each(Object.entries(ROW_TOPICS))("a log %s names the commitment of its entity", (_, topic) => {
  expect(REFERENCE_LOGS.meaningOf(rowLog(row, topic).topics)).toEqual(named);
});

it.each([
  ["a change of the stage", [STAGE_TOPIC], "stage"],
  ["an event of another kind", [OTHER_TOPIC, `0x${row.commitmentId}`], "unknown"],
  ["an entity that isn't 32 bytes", [ROW_TOPICS.bidPlaced, undefined], "unknown"],
  ["no topic", [], "unknown"],
])("%s names no commitment", (_, topics, kind) => {
  expect(REFERENCE_LOGS.meaningOf(topics)).toEqual({ kind });
});

it("a row of an entity with another ID than the entity's isn't named", () => {
  const second = { ...row, commitmentId: "2".repeat(64) };
  expect(REFERENCE_LOGS.namedId(second)).toBe(row.commitmentId);
});

it("the filter for a row's logs finds each of them, and no other row's", () => {
  const [first, second] = REFERENCE_LOGS.topicsOf(row);
  expect(first).toEqual(Object.values(ROW_TOPICS));
  expect([second]).toEqual([rowLog(row).topics[1]]);
});
