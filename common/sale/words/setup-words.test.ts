import { describe, expect, it } from "vitest";
import { type SetupState, SetupStateSchema } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { SETUP_WORDS, setupWord } from "./setup-words.ts";

describe("setupWord", () => {
  it("has a word of its own for each state of the contract", () => {
    const words = SetupStateSchema.values.map(({ number }) => setupWord(number as SetupState));
    expect(words.sort()).toEqual(Object.values(SETUP_WORDS).sort());
  });

  it("calls a state of a newer service unknown", () => {
    expect(setupWord(99 as SetupState)).toBe("Unknown");
  });
});
