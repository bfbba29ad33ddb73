import {
  ContractKnowledge,
  type PermitKey,
  PermitKeyStatus,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { ChainFamily } from "../../chains/base/chain-family.ts";
import type { Translation } from "../../platform/language/message.ts";
import { chainFamilyOf } from "../definition/wallet-kind.ts";

/** A step that somebody has to take outside Tidemark, or on this page. */
export interface SignerStep {
  readonly text: string;
  /** Text to copy: a call of the contract, or a key. */
  readonly call?: string;
}

/** keccak256 of `PURCHASE_PERMIT_SIGNER_ROLE`, by which the reference contract knows its signers. */
const ROLE = "0xb0162d5e61a8d5e2c26413420aa1072eaa0a79f8be9b289410cf8a1b65ce5386";

/** The steps in words. */
export const SIGNER_WORDS = {
  announceRole: "Have an admin of the contract make this call:",
  announceAccount:
    "Initialise the sale account with this key as its permit_signer. That can’t be changed later, so Solana’s sales keep one key.",
  revokeRole:
    "Have an admin of the contract take the role away. From that block on no permit of the key is taken, however it was made.",
  replaceKey: "Create another key, make it known to the contract and activate it.",
  pauseAccount:
    "Pause the sale account. Its permit_signer can’t be replaced, so only a new sale account ends the leaked key.",
  create: "Create a key.",
  activate: "Then activate it.",
  activateReplacing: "Then activate it. The key that is active now signs no more from then on.",
  activateKnown: "The contract knows the next key: activate it.",
  activateKnownReplacing:
    "The contract knows the next key: activate it. The key that is active now signs no more from then on.",
  nothing: "Nothing: permits are signed, and the contract takes them.",
} as const;

export type SignerWords = Translation<typeof SIGNER_WORDS>;

/** The steps that differ between families of contracts. */
interface FamilySteps {
  /** Makes a key known to the contract. */
  announce(address: string, signerWords: SignerWords): SignerStep;
  /** Ends a key that leaked. */
  afterLeak(address: string, signerWords: SignerWords): readonly SignerStep[];
}

const FAMILY_STEPS: Readonly<Record<ChainFamily, FamilySteps>> = {
  evm: {
    announce: (address, { announceRole }) => ({ text: announceRole, call: `grantRole(${ROLE}, ${address})` }),
    afterLeak: (address, { revokeRole, replaceKey }) => [
      { text: revokeRole, call: `revokeRole(${ROLE}, ${address})` },
      { text: replaceKey },
    ],
  },
  svm: {
    announce: (address, { announceAccount }) => ({ text: announceAccount, call: address }),
    afterLeak: (_, { pauseAccount }) => [{ text: pauseAccount }],
  },
};

/** Returns what to do next about a sale's keys. */
export function nextSteps(keys: readonly PermitKey[], signerWords: SignerWords = SIGNER_WORDS): readonly SignerStep[] {
  const active = keyOf(keys, PermitKeyStatus.ACTIVE);
  const next = keyOf(keys, PermitKeyStatus.NEXT);
  if (active === undefined && next === undefined) return [{ text: signerWords.create }];
  const shown = next ?? active;
  if (shown === undefined) return [];
  return [
    ...(shown.contract === ContractKnowledge.KNOWN ? [] : [stepsOf(shown).announce(shown.address, signerWords)]),
    ...(next === undefined ? [] : [activationStep(next, active !== undefined, signerWords)]),
    ...(next === undefined && active?.contract === ContractKnowledge.KNOWN ? [{ text: signerWords.nothing }] : []),
  ];
}

/** Says whether the contract knows a key, as a sentence whose subject is the contract, without a full stop. */
export function knowledgeText({ contract, contractProblem }: Pick<PermitKey, "contract" | "contractProblem">): string {
  if (contract === ContractKnowledge.KNOWN) return "knows it";
  if (contract === ContractKnowledge.UNKNOWN_KEY) return "doesn’t know it";
  return contractProblem === "" ? "can’t be asked now" : `can’t be asked now: ${contractProblem}`;
}

/** Returns what to do if a key leaks. */
export function leakSteps(key: PermitKey, signerWords: SignerWords = SIGNER_WORDS): readonly SignerStep[] {
  return stepsOf(key).afterLeak(key.address, signerWords);
}

function stepsOf({ kind }: PermitKey): FamilySteps {
  return FAMILY_STEPS[chainFamilyOf(kind)];
}

function activationStep({ contract }: PermitKey, replaces: boolean, signerWords: SignerWords): SignerStep {
  const { activate, activateReplacing, activateKnown, activateKnownReplacing } = signerWords;
  if (contract !== ContractKnowledge.KNOWN) return { text: replaces ? activateReplacing : activate };
  return { text: replaces ? activateKnownReplacing : activateKnown };
}

function keyOf(keys: readonly PermitKey[], wanted: PermitKeyStatus): PermitKey | undefined {
  return keys.find(({ status }) => status === wanted);
}
