import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { ParticipationGroupSchema } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { groupOption } from "./group-option.ts";

const UUID = "22222222-2222-4222-8222-22222222222a";
const groups = [
  create(ParticipationGroupSchema, { uuid: UUID, name: "Friends" }),
  create(ParticipationGroupSchema, { uuid: "a", name: "Twins" }),
  create(ParticipationGroupSchema, { uuid: "b", name: "Twins" }),
];
const option = (group?: string) =>
  groupOption({ positionals: [], text: () => group, texts: () => [], flag: () => false }, groups);

it.each([
  [undefined, undefined],
  ["Friends", UUID],
  [UUID.toUpperCase(), UUID],
  ["b", "b"],
])("finds %s", (text, uuid) => {
  expect(option(text)).toBe(uuid);
});

it.each([
  ["friends", "--group: the sale has no such group"],
  ["Twins", "--group: several groups have this name; give the UUID of one"],
])("refuses %s", (text, message) => {
  expect(() => option(text)).toThrow(message);
});
