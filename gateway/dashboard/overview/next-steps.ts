import { eachLanguage } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { sourceFaultWords } from "../../../common/sale/words/source-fault.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import {
  FeedFault,
  type Sale,
  SaleStage,
  SaleStatus,
  Tenancy,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { applicationPaths, salePaths, takingPartPaths } from "../base/dashboard-paths.ts";
import { englishText, sentence } from "../base/form-errors.ts";
import { obstaclesText } from "../base/obstacles-text.ts";
import { texts } from "../base/texts.ts";
import { nearestApplication, unmetRequirements, unmetText } from "./application-requirements.ts";
import type { NextStep } from "./next-step.ts";
import { activateKey, announceKey, isTakingPartKnown, problemSteps } from "./opening-problem-steps.ts";
import type { SaleFacts } from "./sale-facts.ts";

const listFormat = eachLanguage((locale) => new Intl.ListFormat(locale, { type: "conjunction" }));

/** Returns what wants doing next with a sale, the most urgent first. What isn't known makes no step. */
export function nextSteps(facts: SaleFacts, nowMs: number): readonly NextStep[] {
  const { status } = facts.sale;
  if (status === SaleStatus.DRAFT) return draftSteps(facts);
  if (status === SaleStatus.OPEN) return openSteps(facts, nowMs);
  return status === SaleStatus.SETTLED ? settledSteps(facts) : [];
}

/** Returns what wants doing before a draft can open. What isn't known makes no step. */
export function stepsBeforeOpening(facts: SaleFacts): readonly NextStep[] {
  const { contract } = salePaths(facts.sale.uuid);
  // Why a contract that is wrong can't be asked is no step besides.
  const others = takingPartSteps(facts).filter(({ href }) => facts.contract !== "bad" || href !== contract);
  return [...applicationSteps(facts), ...wrongContract(facts), ...others];
}

/** Whether an owner may open a draft, perhaps although its contract doesn't pass the check. */
export function mayOpen(facts: SaleFacts): boolean {
  return facts.applications !== undefined && [...applicationSteps(facts), ...takingPartSteps(facts)].length === 0;
}

/** Whether all is known that keeps a draft from opening. */
export function isOpeningKnown(facts: SaleFacts): boolean {
  return facts.applications !== undefined && facts.contract !== "unknown" && isTakingPartKnown(facts);
}

/** Whether it is known that a draft lacks nothing before it can open. */
export function canOpen(facts: SaleFacts): boolean {
  return isOpeningKnown(facts) && stepsBeforeOpening(facts).length === 0 && mayOpen(facts);
}

/** Returns what wants doing before a draft can open, or else its opening. */
export function stepsTowardsOpening(facts: SaleFacts): readonly NextStep[] {
  const { open } = salePaths(facts.sale.uuid);
  return draftSteps(facts).filter(({ isUrgent, href }) => isUrgent || href === open);
}

function draftSteps(facts: SaleFacts): readonly NextStep[] {
  const blocking = stepsBeforeOpening(facts);
  const opening = blocking.length === 0 && mayOpen(facts) ? [openingStep(facts)] : [];
  return [...blocking, ...opening, ...overridingSteps(facts), ...presentationSteps(facts.sale)];
}

function openSteps(facts: SaleFacts, nowMs: number): readonly NextStep[] {
  const { sale } = facts;
  return [
    ...feedSteps(sale),
    ...unreadSteps(sale),
    ...signerSteps(facts),
    ...signInSteps(facts),
    ...settlingSteps(sale, nowMs),
    ...presentationSteps(sale),
  ];
}

function settledSteps({ sale }: SaleFacts): readonly NextStep[] {
  const paths = salePaths(sale.uuid);
  const { downloadWhy, copy, copyWhy } = texts().nextStep;
  const keep = {
    text: texts().downloads.title,
    href: paths.downloads,
    why: downloadWhy,
    needs: Role.VIEWER,
    isUrgent: false,
  };
  const live = {
    text: copy,
    href: paths.copy,
    why: copyWhy,
    needs: Role.EDITOR,
    isUrgent: false,
  };
  return [...feedSteps(sale), keep, ...(sale.tenancy === Tenancy.TEST ? [live] : [])];
}

/** Steps towards an application with which the sale can open. */
function applicationSteps({ sale, applications }: SaleFacts): readonly NextStep[] {
  if (applications === undefined) return [];
  const nearest = nearestApplication(applications);
  if (nearest === undefined) {
    const { addApplication: text, addApplicationWhy: why } = texts().nextStep;
    const href = salePaths(sale.uuid).newApplication;
    return [{ text, href, why, needs: Role.EDITOR, isUrgent: true }];
  }
  const { application } = applicationPaths(sale.uuid, nearest.uuid);
  return unmetRequirements(nearest).map(({ name }) => {
    const { text, fragment } = unmetText(name);
    const needs = name === "redirect_uri" ? Role.OWNER : Role.EDITOR;
    return { text, href: `${application}#${fragment}`, needs, isUrgent: true };
  });
}

function wrongContract({ sale, contract }: SaleFacts): readonly NextStep[] {
  if (contract !== "bad") return [];
  const href = `${salePaths(sale.uuid).settings}#address`;
  const { setContract: text, setContractWhy: why } = texts().nextStep;
  return [{ text, href, why, needs: Role.EDITOR, isUrgent: true }];
}

function signerSteps({ sale, permits, isSignerKnown }: SaleFacts): readonly NextStep[] {
  if (permits === undefined || !permits.enabled) return [];
  const step = { href: takingPartPaths(sale.uuid).signer, isUrgent: true };
  if (!permits.hasActiveKey) return [{ ...step, ...activateKey() }];
  return isSignerKnown === false ? [{ ...step, ...announceKey() }] : [];
}

/** Steps towards an opening that the entities service admits. */
function takingPartSteps(facts: SaleFacts): readonly NextStep[] {
  const { sale, openingProblems } = facts;
  return openingProblems === undefined ? signerSteps(facts) : problemSteps(sale.uuid, openingProblems);
}

/** Returns the way past the check of a contract, which owners have once nothing else is missing. */
function overridingSteps(facts: SaleFacts): readonly NextStep[] {
  const { sale, contract } = facts;
  if (contract !== "bad" || !mayOpen(facts)) return [];
  const { openAnyway: text } = texts().nextStep;
  return [{ text, href: salePaths(sale.uuid).open, needs: Role.OWNER, isUrgent: false }];
}

function openingStep(facts: SaleFacts): NextStep {
  const { sale, contract } = facts;
  if (contract === undefined && sale.definition?.source.case !== undefined) {
    const { sale: href } = salePaths(sale.uuid);
    const { seeWhether: text, seeWhetherWhy: why } = texts().nextStep;
    return { text, href, why, needs: Role.VIEWER, isUrgent: false };
  }
  const { open: text, openEffect } = texts().nextStep;
  const why = `${missingText(facts)} ${openEffect}`;
  return { text, href: salePaths(sale.uuid).open, why, needs: Role.OWNER, isUrgent: false };
}

function missingText(facts: SaleFacts): string {
  const isKnown = isTakingPartKnown(facts);
  const { nothingMissing, contractUnknown, takingPartUnknown, bothUnknown } = texts().nextStep;
  if (facts.contract === "unknown") return isKnown ? contractUnknown : bothUnknown;
  return isKnown ? nothingMissing : takingPartUnknown;
}

/** Returns what to do about a contract that isn't read, or isn't read without a doubt. */
function feedSteps(sale: Sale): readonly NextStep[] {
  const { sourceStatus, feedState, hasSnapshot, uuid } = sale;
  const { settings, contract } = salePaths(uuid);
  const step = { href: contract, needs: Role.VIEWER, isUrgent: true };
  const fault = sourceFaultWords(feedState?.fault);
  if (fault === undefined) return warningSteps(sale, step);
  const words = texts().nextStep;
  const reported = sourceStatus?.fault ?? "";
  const known = texts().sourceFault[fault.publicName];
  const why = reported === "" ? known : englishText(sentence(reported));
  switch (feedState?.fault) {
    case FeedFault.NO_INDEXER:
      return [{ ...step, text: words.tellOperator, why: words.tellOperatorWhy }];
    case FeedFault.LATE:
      return [{ ...step, text: words.checkContract, why: known }];
    default:
      if (hasSnapshot) return [{ ...step, text: words.seeUnreadable, why }];
      return [{ ...step, text: words.setContract, why, href: `${settings}#address`, needs: Role.OWNER }];
  }
}

/** Returns what to do about a contract of which no reading is known: neither figures nor a fault. */
function unreadSteps({ uuid, definition, sourceStatus, feedState, hasSnapshot }: Sale): readonly NextStep[] {
  const hasReport = sourceStatus !== undefined || sourceFaultWords(feedState?.fault) !== undefined;
  if (definition?.source.case === undefined || hasSnapshot || hasReport) return [];
  const { checkContract: text, checkContractWhy: why } = texts().nextStep;
  const { contract } = salePaths(uuid);
  return [{ text, href: contract, why, needs: Role.VIEWER, isUrgent: true }];
}

function warningSteps({ sourceStatus }: Sale, step: Omit<NextStep, "text">): readonly NextStep[] {
  const warning = sourceStatus?.warning ?? "";
  return warning === "" ? [] : [{ ...step, text: texts().nextStep.seeContract, why: englishText(sentence(warning)) }];
}

/** Returns what keeps users from signing in, where no application can do it. */
function signInSteps({ sale, applications }: SaleFacts): readonly NextStep[] {
  const [first] = applications ?? [];
  if (first === undefined || applications?.some(({ obstacles }) => obstacles.length === 0)) return [];
  const href = applicationPaths(sale.uuid, first.uuid).application;
  const why = fillHtml(texts().applications.lacks, { reasons: obstaclesText(first.obstacles) });
  return [{ text: texts().nextStep.signInAgain, href, why, needs: Role.EDITOR, isUrgent: true }];
}

/** A contract with a stage settles its sale by itself. */
function settlingSteps({ uuid, stage, definition }: Sale, nowMs: number): readonly NextStep[] {
  const closesAt = definition?.presentation?.closesAtSeconds;
  const isOver = closesAt !== undefined && nowMs >= Number(closesAt) * 1_000;
  if (!isOver || stage !== SaleStage.UNSPECIFIED || definition?.source.case !== undefined) return [];
  const { settle: text, settleWhy: why } = texts().nextStep;
  return [{ text, href: salePaths(uuid).settle, why, needs: Role.OWNER, isUrgent: false }];
}

/** Returns what people would like to read, and don't find. */
function presentationSteps({ uuid, definition }: Sale): readonly NextStep[] {
  const { description = "", website = "", contact = "", logo = "" } = definition?.presentation ?? {};
  const { opensAtSeconds, closesAtSeconds } = definition?.presentation ?? {};
  const words = texts().nextStep;
  const lacking = [
    { isThere: description !== "", text: words.describe, name: words.description, fragment: "description" },
    { isThere: website !== "", text: words.link, name: words.website, fragment: "website" },
    { isThere: contact !== "", text: words.sayContact, name: words.contact, fragment: "contact" },
    { isThere: logo !== "", text: words.uploadLogo, name: words.logo, fragment: "logo" },
    { isThere: opensAtSeconds !== undefined, text: words.sayOpens, name: words.opens, fragment: "opens" },
    { isThere: closesAtSeconds !== undefined, text: words.sayCloses, name: words.closes, fragment: "closes" },
  ].filter(({ isThere }) => !isThere);
  const [first, second] = lacking;
  if (first === undefined) return [];
  const { presentation } = salePaths(uuid);
  const step = { href: `${presentation}#${first.fragment}`, needs: Role.EDITOR, isUrgent: false };
  if (second === undefined) return [{ ...step, text: first.text }];
  const why = fill(words.tellWhy, { what: listFormat[pageLanguage()].format(lacking.map(({ name }) => name)) });
  return [{ ...step, href: presentation, text: words.tell, why }];
}
