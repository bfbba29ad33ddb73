import { sourceFaultWords } from "../../../common/sale/words/source-fault.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import {
  FeedFault,
  type Sale,
  SaleStage,
  SaleStatus,
  Tenancy,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { applicationPaths, salePaths, takingPartPaths } from "../base/dashboard-paths.ts";
import { sentence } from "../base/form-errors.ts";
import { nearestApplication, unmetRequirements, unmetText } from "./application-requirements.ts";
import type { NextStep } from "./next-step.ts";
import { ACTIVATE_KEY, isTakingPartKnown, MAKE_SIGNER_KNOWN, problemSteps } from "./opening-problem-steps.ts";
import type { SaleFacts } from "./sale-facts.ts";

const UNCHECKED = "Whether its contract can be read isn’t known now; nothing else is missing.";
const UNKNOWN = "Whether people can take part isn’t known now; nothing else is missing.";
const BOTH_UNKNOWN =
  "Whether its contract can be read and people can take part isn’t known now; nothing else is missing.";
const LIST = new Intl.ListFormat("en-GB", { type: "conjunction" });

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
  const keep = {
    text: "Download all commitments",
    href: paths.downloads,
    why: "The sale is over: keep the list, for yourself and for those who allocate the tokens.",
    needs: Role.VIEWER,
    isUrgent: false,
  };
  const live = {
    text: "Copy it as a live sale",
    href: paths.copy,
    why: "A test sale always stays one.",
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
    const why = "Your users sign in to it. It then needs a redirect URI and two logos.";
    const href = salePaths(sale.uuid).newApplication;
    return [{ text: "Add an application", href, why, needs: Role.EDITOR, isUrgent: true }];
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
  const why = "The one that is set isn’t this sale’s, or can’t be read.";
  return [{ text: "Set the right contract", href, why, needs: Role.EDITOR, isUrgent: true }];
}

function signerSteps({ sale, permits, isSignerKnown }: SaleFacts): readonly NextStep[] {
  if (permits === undefined || !permits.enabled) return [];
  const step = { href: takingPartPaths(sale.uuid).signer, isUrgent: true };
  if (!permits.hasActiveKey) return [{ ...step, ...ACTIVATE_KEY }];
  return isSignerKnown === false ? [{ ...step, ...MAKE_SIGNER_KNOWN }] : [];
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
  const text = "Open it although the check doesn’t pass";
  return [{ text, href: salePaths(sale.uuid).open, needs: Role.OWNER, isUrgent: false }];
}

function openingStep(facts: SaleFacts): NextStep {
  const { sale, contract } = facts;
  if (contract === undefined && sale.definition?.source.case !== undefined) {
    const { sale: href } = salePaths(sale.uuid);
    const text = "See whether it can open";
    return { text, href, why: "Its contract is checked there.", needs: Role.VIEWER, isUrgent: false };
  }
  const why = `${missingText(facts)} From then on everybody sees its figures.`;
  return { text: "Open the sale…", href: salePaths(sale.uuid).open, why, needs: Role.OWNER, isUrgent: false };
}

function missingText(facts: SaleFacts): string {
  const isKnown = isTakingPartKnown(facts);
  if (facts.contract === "unknown") return isKnown ? UNCHECKED : BOTH_UNKNOWN;
  return isKnown ? "Nothing is missing." : UNKNOWN;
}

/** Returns what to do about a contract that isn't read, or isn't read without a doubt. */
function feedSteps(sale: Sale): readonly NextStep[] {
  const { sourceStatus, feedState, hasSnapshot, uuid } = sale;
  const { settings, contract } = salePaths(uuid);
  const step = { href: contract, needs: Role.VIEWER, isUrgent: true };
  const fault = sourceFaultWords(feedState?.fault);
  if (fault === undefined) return warningSteps(sale, step);
  const reported = sourceStatus?.fault ?? "";
  const why = reported === "" ? fault.sentence : sentence(reported);
  switch (feedState?.fault) {
    case FeedFault.NO_INDEXER:
      return [{ ...step, text: `Tell the operator that ${fault.clause}`, why: "Its figures stand still." }];
    case FeedFault.LATE:
      return [{ ...step, text: "Check the contract now", why: fault.sentence }];
    default:
      if (hasSnapshot) return [{ ...step, text: "See why the contract can’t be read", why }];
      return [{ ...step, text: "Set the right contract", why, href: `${settings}#address`, needs: Role.OWNER }];
  }
}

/** Returns what to do about a contract of which no reading is known: neither figures nor a fault. */
function unreadSteps({ uuid, definition, sourceStatus, feedState, hasSnapshot }: Sale): readonly NextStep[] {
  const hasReport = sourceStatus !== undefined || sourceFaultWords(feedState?.fault) !== undefined;
  if (definition?.source.case === undefined || hasSnapshot || hasReport) return [];
  const why = "It hasn’t been read yet: nobody sees figures of the sale before that.";
  const { contract } = salePaths(uuid);
  return [{ text: "Check the contract now", href: contract, why, needs: Role.VIEWER, isUrgent: true }];
}

function warningSteps({ sourceStatus }: Sale, step: Omit<NextStep, "text">): readonly NextStep[] {
  const warning = sourceStatus?.warning ?? "";
  return warning === "" ? [] : [{ ...step, text: "Look at the contract", why: sentence(warning) }];
}

/** Returns what keeps users from signing in, where no application can do it. */
function signInSteps({ sale, applications }: SaleFacts): readonly NextStep[] {
  const [first] = applications ?? [];
  if (first === undefined || applications?.some(({ obstacles }) => obstacles.length === 0)) return [];
  const href = applicationPaths(sale.uuid, first.uuid).application;
  const why = sentence(`it ${first.obstacles.join(", ")}`);
  return [{ text: "Let users sign in again", href, why, needs: Role.EDITOR, isUrgent: true }];
}

/** A contract with a stage settles its sale by itself. */
function settlingSteps({ uuid, stage, definition }: Sale, nowMs: number): readonly NextStep[] {
  const closesAt = definition?.presentation?.closesAtSeconds;
  const isOver = closesAt !== undefined && nowMs >= Number(closesAt) * 1_000;
  if (!isOver || stage !== SaleStage.UNSPECIFIED || definition?.source.case !== undefined) return [];
  const why = "It is over by your own times, and no contract settles it.";
  return [{ text: "Settle the sale…", href: salePaths(uuid).settle, why, needs: Role.OWNER, isUrgent: false }];
}

/** Returns what people would like to read, and don't find. */
function presentationSteps({ uuid, definition }: Sale): readonly NextStep[] {
  const { description = "", website = "", contact = "", logo = "" } = definition?.presentation ?? {};
  const { opensAtSeconds, closesAtSeconds } = definition?.presentation ?? {};
  const lacking = [
    { isThere: description !== "", text: "Describe the sale", name: "a description", fragment: "description" },
    { isThere: website !== "", text: "Link your site", name: "a link to your site", fragment: "website" },
    { isThere: contact !== "", text: "Say how people reach you", name: "a contact", fragment: "contact" },
    { isThere: logo !== "", text: "Upload a logo of the sale", name: "a logo", fragment: "logo" },
    { isThere: opensAtSeconds !== undefined, text: "Say when it opens", name: "when it opens", fragment: "opens" },
    { isThere: closesAtSeconds !== undefined, text: "Say when it closes", name: "when it closes", fragment: "closes" },
  ].filter(({ isThere }) => !isThere);
  const [first, second] = lacking;
  if (first === undefined) return [];
  const { presentation } = salePaths(uuid);
  const step = { href: `${presentation}#${first.fragment}`, needs: Role.EDITOR, isUrgent: false };
  if (second === undefined) return [{ ...step, text: first.text }];
  const why = sentence(`people look for ${LIST.format(lacking.map(({ name }) => name))}`);
  return [{ ...step, href: presentation, text: "Tell people about the sale", why }];
}
