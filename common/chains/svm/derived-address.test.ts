import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import { expect, it } from "vitest";
import { REFERENCE_PROGRAM } from "../base/chain.ts";
import { derivedAddress } from "./derived-address.ts";

const SALE = base58.decode("4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM");

/** Made with `getProgramDerivedAddress` of @solana/addresses 8.4.0. The first hash of the first one is a key. */
it.each([
  [0, "6MCdEodDYiWv5DYnNcb8CWu7p5Y61eL9K3UwRDtDA9dQ"],
  [1, "FZvEsnzHfbcitfnYz6Uza2jwGu9AsnKRPSWs3jGfdeum"],
  [2, "3na1JycdLKitjGDXYZJfG32JDW1xGDnXaFtWNALwNUpt"],
])("derives the address of an account as Solana's own library does (entity of bytes %i)", (byte, address) => {
  const seeds = [Buffer.from("entity_state"), SALE, new Uint8Array(16).fill(byte)];
  expect(derivedAddress(REFERENCE_PROGRAM, seeds)).toBe(address);
});
