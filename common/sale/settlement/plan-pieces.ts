import { PlanError } from "./plan-field.ts";

/** The beginning of every plan: no name of a member comes before that of the commitments. */
const BEGINNING = '{"commitments":[';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_BRACE, CLOSED_BRACE, OPEN_BRACKET, CLOSED_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Divides the text of a plan, which may be long, into those of its commitments and the rest, without parsing any of it. */
export class PlanPieces {
  /** Text that isn't divided yet; begins with a commitment, or is the rest. */
  #text = "";
  #part: "beginning" | "commitments" | "rest" = "beginning";
  /** The place from which on the text isn't looked at yet, and what is open there. */
  #at = 0;
  #depth = 0;
  #isQuoted = false;

  /** Takes the next part of the text. @returns the JSON of the commitments that end in it @throws PlanError */
  take(text: string): readonly string[] {
    this.#text += text;
    if (this.#part === "beginning") this.#begin();
    return this.#part === "commitments" ? this.#divide() : [];
  }

  /** Returns the JSON of a plan without commitments, once its whole text was taken. @throws PlanError where it isn't whole */
  rest(): string {
    if (this.#part !== "rest") throw new PlanError("the plan must be whole, and begin as canonical JSON does");
    return `${BEGINNING}]${this.#text}`;
  }

  #begin(): void {
    if (!this.#text.startsWith(BEGINNING.slice(0, this.#text.length))) {
      throw new PlanError(`the plan must be canonical JSON, which begins with ${BEGINNING}`);
    }
    if (this.#text.length < BEGINNING.length) return;
    this.#part = "commitments";
    this.#text = this.#text.slice(BEGINNING.length);
  }

  #divide(): readonly string[] {
    const text = this.#text;
    const found: string[] = [];
    let begin = 0;
    for (; this.#at < text.length; this.#at += 1) {
      const code = text.charCodeAt(this.#at);
      if (this.#depth === 0 && code === CLOSED_BRACKET) {
        this.#part = "rest";
        begin = this.#at + 1;
        break;
      }
      if (this.#depth === 0 && code === COMMA) begin = this.#at + 1;
      else if (this.#closesAt(code)) {
        found.push(text.slice(begin, this.#at + 1));
        begin = this.#at + 1;
      }
    }
    this.#text = text.slice(begin);
    this.#at -= begin;
    return found;
  }

  /** Whether a code unit ends a commitment. @throws PlanError for something else than a commitment */
  #closesAt(code: number): boolean {
    if (this.#isQuoted) {
      // The unit behind a backslash ends no text.
      if (code === BACKSLASH) this.#at += 1;
      this.#isQuoted = code !== QUOTE;
      return false;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth += 1;
    else if (this.#depth === 0) throw new PlanError("plan.commitments must be a list of objects");
    else if (code === QUOTE) this.#isQuoted = true;
    else if (code === CLOSED_BRACE || code === CLOSED_BRACKET) {
      this.#depth -= 1;
      return this.#depth === 0;
    }
    return false;
  }
}
