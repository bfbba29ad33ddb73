import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { salePaths, takingPartPaths } from "../base/dashboard-paths.ts";
import { englishText, sentence } from "../base/form-errors.ts";
import { texts } from "../base/texts.ts";
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
  const words = texts().nextStep;
  const said = { why: englishText(sentence(text)), needs: Role.VIEWER };
  switch (name) {
    case "identity_provider":
      return { text: words.askOperator, href: overview, why: words.askOperatorWhy, needs: Role.VIEWER };
    case "definition":
      return { ...said, text: words.changeSetting, href: settings, needs: Role.EDITOR };
    case "key":
      return { ...activateKey(), href: signer };
    case "signer":
      return { ...announceKey(), href: signer };
    case "rules":
      return { text: words.changeRules, href: rules, why: words.changeRulesWhy, needs: Role.EDITOR };
    case "contract":
      return { ...said, text: words.seeUnasked, href: contract };
    default:
      return { ...said, text: words.seeTakingPart, href: overview };
  }
}

/** Returns the step of a sale without a key that signs its permits. */
export function activateKey() {
  const { activateKey: text, activateKeyWhy: why } = texts().nextStep;
  return { text, why, needs: Role.OWNER };
}

/** Returns the step of a sale whose contract doesn't know the key. */
export function announceKey() {
  const { announceKey: text, announceKeyWhy: why } = texts().nextStep;
  return { text, why, needs: Role.OWNER };
}
