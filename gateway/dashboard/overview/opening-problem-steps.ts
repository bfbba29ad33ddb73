import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { salePaths, takingPartPaths } from "../base/dashboard-paths.ts";
import { sentence } from "../base/form-errors.ts";
import type { NextStep } from "./next-step.ts";
import type { OpeningProblemFacts, SaleFacts } from "./sale-facts.ts";

/** Whether it is known that nothing about taking part keeps a draft from opening, or what does. */
export function isTakingPartKnown({ hasTakingPart, permits, openingProblems }: SaleFacts): boolean {
  return !hasTakingPart || permits?.enabled === false || openingProblems !== undefined;
}

/** Returns a step for each kind of problem. */
export function problemSteps(saleUuid: string, problems: readonly OpeningProblemFacts[]): readonly NextStep[] {
  return problems
    .filter(({ name }, index) => problems.findIndex((other) => other.name === name) === index)
    .map((problem) => ({ ...problemStep(saleUuid, problem), isUrgent: true }));
}

function problemStep(saleUuid: string, { name, text }: OpeningProblemFacts): Omit<NextStep, "isUrgent"> {
  const { settings, contract } = salePaths(saleUuid);
  const { overview, rules, signer } = takingPartPaths(saleUuid);
  switch (name) {
    case "identity_provider": {
      const why = "Here identities are checked as a demo only, which a live sale doesn’t accept.";
      return { text: "Ask the operator for real identity checks", href: overview, why, needs: Role.VIEWER };
    }
    case "definition":
      return {
        text: "Change a setting that permits don’t allow",
        href: settings,
        why: sentence(text),
        needs: Role.EDITOR,
      };
    case "key":
      return { ...ACTIVATE_KEY, href: signer };
    case "signer":
      return { ...MAKE_SIGNER_KNOWN, href: signer };
    case "rules": {
      const why = "The contract doesn’t take permits of these rules. The form says why when you save them.";
      return { text: "Change the rules of taking part", href: rules, why, needs: Role.EDITOR };
    }
    case "contract":
      return {
        text: "See why the contract can’t be asked about permits",
        href: contract,
        why: sentence(text),
        needs: Role.VIEWER,
      };
    default:
      return { text: "Look at taking part", href: overview, why: sentence(text), needs: Role.VIEWER };
  }
}

/** The step of a sale without a key that signs its permits. */
export const ACTIVATE_KEY = {
  text: "Activate a key",
  why: "Taking part is on, and without a key nobody gets a permit.",
  needs: Role.OWNER,
} as const;

/** The step of a sale whose contract doesn't know the key. */
export const MAKE_SIGNER_KNOWN = {
  text: "Make the signer known to the contract",
  why: "The contract refuses bids with permits of a key that it doesn’t know.",
  needs: Role.OWNER,
} as const;
