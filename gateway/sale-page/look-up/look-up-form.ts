import type { IncomingMessage } from "node:http";
import { receiveBody } from "../../../common/platform/http/request-body.ts";
import type { PositionRead } from "../../public-read/position/position-read.ts";
import { PAGE_TOKEN_FIELD, positionRequest, WALLET_FIELD } from "../../public-read/position/position-request.ts";
import type { SaleDocuments } from "../../public-read/sale-documents.ts";
import { declaredLength } from "../../web/http/early-refusal.ts";
import { PublicError } from "../../web/http/public-error.ts";
import { SALE_UUID_FIELD } from "../../web/http/sale-uuid.ts";
import { refusalText, ruleText } from "../browser/look-up-texts.js";
import { type LookedUpSale, needsDemand, type Position, positionView } from "../browser/position-view.js";
import { texts } from "../browser/words.js";
import { inLanguage } from "../view/in-language.ts";
import type { LookUpAnswer, LookUpSale } from "./look-up-section.ts";

/** A wallet and the token of a page, each percent-encoded, need a third of this. */
const MAX_FORM_BYTES = 1_024;
const FORM = "application/x-www-form-urlencoded";
const UNPROCESSABLE = 422;

/** The form as it was sent. */
export interface LookUpEntry {
  readonly wallet: string;
  /** Token of a later page; empty for the first. */
  readonly pageToken: string;
}

/** The answer of a sale's page to a form, and its status. */
export interface AnsweredLookUp {
  readonly status: number;
  readonly answer: LookUpAnswer;
  /** Seconds to wait; undefined where there is nothing to wait for. */
  readonly retryAfter?: string;
}

/** The public reads that a look-up is answered from. */
export interface LookUpReads {
  readonly positions: Pick<PositionRead, "read">;
  readonly documents: { readonly demand: Pick<SaleDocuments["demand"], "read"> };
}

/** Receives the form and gives it to `take`: empty where it can't be read, so that the page asks again. */
export function receiveLookUp(request: IncomingMessage, take: (entry: LookUpEntry) => void): void {
  const [mediaType] = (request.headers["content-type"] ?? "").toLowerCase().split(";");
  const isReadable = mediaType?.trim() === FORM && request.headers["content-encoding"] === undefined;
  const length = declaredLength(request);
  if (!isReadable || (length > MAX_FORM_BYTES && length !== Number.POSITIVE_INFINITY)) take(entryOf(""));
  else receiveBody(request, MAX_FORM_BYTES, (body) => take(entryOf(body?.toString("utf8") ?? "")), undefined);
}

function entryOf(text: string): LookUpEntry {
  const fields = new URLSearchParams(text);
  return { wallet: (fields.get("wallet") ?? "").trim(), pageToken: fields.get("page") ?? "" };
}

/** Looks up the wallet of a form. @param now in milliseconds since 1970 @throws PublicError where that isn't for the form to say, such as an unknown sale */
export async function answerLookUp(
  { positions, documents }: LookUpReads,
  sale: LookUpSale,
  { wallet, pageToken }: LookUpEntry,
  request: IncomingMessage,
  now: number,
): Promise<AnsweredLookUp> {
  try {
    if (wallet === "") return inLanguage(sale.language, () => refused(wallet, ruleText("required", sale.walletKind)));
    const fields = { [SALE_UUID_FIELD]: sale.saleUuid, [WALLET_FIELD]: wallet };
    const query = positionRequest(pageToken === "" ? fields : { ...fields, [PAGE_TOKEN_FIELD]: pageToken });
    const document = await positions.read(query, request);
    const body: Position = JSON.parse(document.identity.bytes.toString("utf8"));
    const levels = needsDemand(body) ? await readLevels(documents.demand, sale.saleUuid) : undefined;
    const position = inLanguage(sale.language, () => positionView(body, { ...sale, now, levels }, pageToken !== ""));
    return { status: 200, answer: { wallet, position } };
  } catch (error) {
    if (!(error instanceof PublicError)) throw error;
    return inLanguage(sale.language, () => problemAnswer(error, wallet, sale));
  }
}

/** Returns the levels of an auction's demand; undefined where they can't be read now, without which all else is answered. */
async function readLevels(
  demand: LookUpReads["documents"]["demand"],
  saleUuid: string,
): Promise<LookedUpSale["levels"]> {
  const document = await demand.read(saleUuid).catch(() => undefined);
  return document && JSON.parse(document.representation.identity.bytes.toString("utf8")).Levels;
}

/** @throws PublicError what it was given, where the form has nothing to say about it */
function problemAnswer(error: PublicError, wallet: string, { walletKind }: LookUpSale): AnsweredLookUp {
  const { status } = error;
  if (error.code === "not_found" || error.code === "internal") throw error;
  if (status < 500 && status !== 429) return refused(wallet, ruleText(ruleOf(error), walletKind));
  return { status, answer: { wallet, trouble: `${refusalText(status)} ${texts().lookUp.tryAgain}` }, retryAfter: "1" };
}

function refused(wallet: string, error: string): AnsweredLookUp {
  return { status: UNPROCESSABLE, answer: { wallet, error } };
}

function ruleOf({ body }: PublicError): string {
  return JSON.parse(body.toString("utf8")).details.violations?.[0]?.rule ?? "";
}
