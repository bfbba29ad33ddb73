import type { SourcePosition } from "../../chains/base/source-position.ts";

/** Thrown if the chain has another block at the height of the figures. It may be a re-organisation that passes. */
export class OtherBlock extends Error {
  override readonly name = "OtherBlock";
  readonly shown: SourcePosition;
  /** Hash of the chain's block: 64 hex digits. */
  readonly actualHash: string;

  constructor(shown: SourcePosition, actualHash: string) {
    super(`at height ${shown.height} the chain has block 0x${actualHash}, not 0x${shown.hash}`);
    this.shown = shown;
    this.actualHash = actualHash;
  }
}
