import {
  type SalePresentation as PresentationMessage,
  SalePresentationSchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

type KeyOf<Value> = {
  [Key in keyof PresentationMessage]-?: PresentationMessage[Key] extends Value ? Key : never;
}[keyof PresentationMessage];
type TextKey = Exclude<KeyOf<string>, `$${string}`>;
type SwitchKey = KeyOf<boolean>;
type TimeKey = Exclude<KeyOf<bigint | undefined>, KeyOf<undefined> | `$${string}` | TextKey>;

interface FieldWords {
  /** Name in the activity log, and in what the operator's command prints. */
  readonly label: string;
  /**
   * The field of the dashboard's form; absent for a field that another form sets. Its label and its hint have the row's key in the
   * sections `presentationLabel` and `presentationHint` of each language.
   */
  readonly form?: {
    readonly name: string;
    /** `terms` for what the founder says about claims, refunds and vesting; else its kind says where the form has it. */
    readonly group?: "terms";
  };
  /** The option of `sale describe`; absent for a field that another option sets. */
  readonly option?: { readonly name: string; readonly value: string; readonly help: string };
  /** The field of public JSON, in the sale itself or in an object of it. */
  readonly json: { readonly name: string; readonly in?: "OfferedToken"; readonly description: string };
}

/** A row of the table. `key` is the field's name in the message and in the stored definition. */
export type SaleField = FieldWords &
  (
    | { readonly kind: "text"; readonly key: TextKey; readonly maxCharacters: number; readonly rows: number }
    | { readonly kind: "link"; readonly key: TextKey; readonly maxCharacters: number }
    /** An e-mail address, or an `https:` URL. */
    | { readonly kind: "contact"; readonly key: TextKey; readonly maxCharacters: number }
    | { readonly kind: "symbol"; readonly key: TextKey }
    /** Smallest units of the offered token. */
    | { readonly kind: "amount"; readonly key: TextKey }
    /** Seconds since 1970, up to the end of the year 9999. @property after the times that must be earlier */
    | { readonly kind: "time"; readonly key: TimeKey; readonly after?: readonly TimeKey[] }
    /** `true`, or absent where it is off. */
    | { readonly kind: "switch"; readonly key: SwitchKey }
    /** SHA-256 of an image, hex. `SetSaleLogo` sets it, and no update of the definition. */
    | { readonly kind: "logo"; readonly key: TextKey }
  );

export type SaleFieldKind = SaleField["kind"];

/**
 * The table of the fields that a founder enters for people who read about a sale, in the order of the form. They say something, and decide
 * nothing. Check, messages, stored form, dashboard, operator's command, activity log, public JSON, OpenAPI and the live page's key
 * of its texts are made of these rows; CONTRIBUTING.md has the recipe for another one.
 */
const ROWS = [
  {
    key: "description",
    kind: "text",
    maxCharacters: 2_000,
    rows: 8,
    label: "Description",
    form: { name: "description" },
    option: { name: "description", value: "TEXT", help: "plain text with line breaks, at most 2,000 characters" },
    json: {
      name: "Description",
      description: "What the founder writes about it: plain text with line breaks, 2,000 characters at most.",
    },
  },
  {
    key: "website",
    kind: "link",
    maxCharacters: 500,
    label: "Website",
    form: { name: "website" },
    option: { name: "website", value: "URL", help: "the founder's own site, https" },
    json: { name: "Website", description: "The founder's own site." },
  },
  {
    key: "contact",
    kind: "contact",
    maxCharacters: 120,
    label: "Contact",
    form: { name: "contact" },
    option: {
      name: "contact",
      value: "ADDRESS",
      help: "how people reach those who run it: an e-mail address or an https URL",
    },
    json: {
      name: "Contact",
      description:
        "How people reach those who run the sale: an e-mail address, or an `https:` URL, 120 characters at most.",
    },
  },
  {
    key: "offeredTokenSymbol",
    kind: "symbol",
    label: "Symbol of the offered token",
    form: { name: "symbol" },
    option: { name: "symbol", value: "TEXT", help: "the symbol of the token that is sold" },
    json: { name: "Symbol", in: "OfferedToken", description: "Its symbol, as the founder writes it." },
  },
  {
    key: "totalSupply",
    kind: "amount",
    label: "Total supply",
    form: { name: "supply" },
    option: {
      name: "total-supply",
      value: "AMOUNT",
      help: "how many tokens there are or will be, such as 10,000,000",
    },
    json: {
      name: "TotalSupply",
      in: "OfferedToken",
      description: "How much there is or will be, in its smallest units.",
    },
  },
  {
    key: "announcedAtSeconds",
    kind: "time",
    label: "Announced",
    form: { name: "announced" },
    option: { name: "announced", value: "TIME", help: "when the sale was or is to be announced" },
    json: { name: "AnnouncedAt", description: "When the founder announced or announces the sale. Decides nothing." },
  },
  {
    key: "opensAtSeconds",
    kind: "time",
    after: ["announcedAtSeconds"],
    label: "Opens",
    form: { name: "opens" },
    option: { name: "opens", value: "TIME", help: "when the sale is to open, such as 2026-01-31T12:00:00Z" },
    json: {
      name: "OpensAt",
      description: "When the founder means to open the sale: UTC, whole seconds. Decides nothing.",
    },
  },
  {
    key: "closesAtSeconds",
    kind: "time",
    after: ["announcedAtSeconds", "opensAtSeconds"],
    label: "Closes",
    form: { name: "closes" },
    option: { name: "closes", value: "TIME", help: "when it is to close" },
    json: { name: "ClosesAt", description: "When the founder means to close it. Decides nothing." },
  },
  {
    key: "cancelUntilSeconds",
    kind: "time",
    after: ["closesAtSeconds"],
    label: "Cancel until",
    form: { name: "cancel" },
    option: { name: "cancel-until", value: "TIME", help: "until when bids can be cancelled" },
    json: { name: "CancelUntil", description: "Until when, by the founder, bids can be cancelled. Decides nothing." },
  },
  {
    key: "settlesAtSeconds",
    kind: "time",
    after: ["closesAtSeconds", "cancelUntilSeconds"],
    label: "Settles",
    form: { name: "settles" },
    option: { name: "settles", value: "TIME", help: "when it is to settle" },
    json: { name: "SettlesAt", description: "When the founder means to settle it. Decides nothing." },
  },
  {
    key: "claimsAtSeconds",
    kind: "time",
    after: ["closesAtSeconds"],
    label: "Claim from",
    form: { name: "claims" },
    option: { name: "claims", value: "TIME", help: "when buyers can claim their tokens" },
    json: { name: "ClaimsAt", description: "When, by the founder, tokens can be claimed. Decides nothing." },
  },
  {
    key: "claimTerms",
    kind: "text",
    maxCharacters: 500,
    rows: 3,
    label: "Claim",
    form: { name: "claim-terms", group: "terms" },
    option: { name: "claim-terms", value: "TEXT", help: "how tokens are claimed, plain text" },
    json: {
      name: "ClaimTerms",
      description: "How tokens are claimed, in the founder's words: plain text, 500 characters at most.",
    },
  },
  {
    key: "refundedBySeconds",
    kind: "time",
    after: ["closesAtSeconds"],
    label: "Refunded by",
    form: { name: "refunded", group: "terms" },
    option: { name: "refunded-by", value: "TIME", help: "when money that isn't accepted is back" },
    json: {
      name: "RefundedBy",
      description: "When, by the founder, money that isn't accepted is back. Decides nothing.",
    },
  },
  {
    key: "refundTerms",
    kind: "text",
    maxCharacters: 500,
    rows: 3,
    label: "Refund",
    form: { name: "refund-terms", group: "terms" },
    option: { name: "refund-terms", value: "TEXT", help: "how money is paid back, plain text" },
    json: { name: "RefundTerms", description: "How money that isn't accepted is paid back, in the founder's words." },
  },
  {
    key: "vestedBySeconds",
    kind: "time",
    after: ["closesAtSeconds"],
    label: "Vested by",
    form: { name: "vested", group: "terms" },
    option: { name: "vested-by", value: "TIME", help: "when all tokens are vested" },
    json: { name: "VestedBy", description: "When, by the founder, all tokens are vested. Decides nothing." },
  },
  {
    key: "vestingTerms",
    kind: "text",
    maxCharacters: 500,
    rows: 3,
    label: "Vesting",
    form: { name: "vesting-terms", group: "terms" },
    option: { name: "vesting-terms", value: "TEXT", help: "how tokens vest, plain text" },
    json: { name: "VestingTerms", description: "How tokens vest, in the founder's words." },
  },
  {
    key: "listed",
    kind: "switch",
    label: "Listed on the start page",
    form: { name: "listed" },
    option: { name: "listed", value: "yes|no", help: "whether the start page lists the sale" },
    json: { name: "Listed", description: "Whether the start page lists the sale. Absent where it doesn't." },
  },
  {
    key: "logo",
    kind: "logo",
    label: "Logo",
    json: {
      name: "LogoURL",
      description: "A square image, PNG, JPEG or WebP. Its address is another one once it is another image.",
    },
  },
] as const satisfies readonly SaleField[];

type Row = (typeof ROWS)[number];

interface KindValues {
  readonly text: string;
  readonly link: string;
  readonly contact: string;
  readonly symbol: string;
  readonly amount: bigint;
  readonly time: number;
  readonly switch: true;
  readonly logo: string;
}

/** The value of a field: a text that isn't empty, smallest units, seconds, or `true`. */
export type SaleFieldValue = KindValues[SaleFieldKind];

/** The fields that a founder has entered, each in the type of its kind. */
export type SalePresentation = { readonly [Field in Row as Field["key"]]?: KindValues[Field["kind"]] };

/** A row that the dashboard's form and the operator's command ask for. */
export type AskedField = SaleField & Required<Pick<FieldWords, "form" | "option">>;

/** The rows, for code that deals with all of them alike. */
export const SALE_FIELDS: readonly SaleField[] = ROWS;

/** The rows that are asked for. */
export const ASKED_FIELDS: readonly AskedField[] = SALE_FIELDS.filter(
  (field): field is AskedField => field.form !== undefined && field.option !== undefined,
);

/** Returns the path of a field in `SaleDefinition`, such as `presentation.website`. */
export function pathOf({ key }: Pick<SaleField, "key">): string {
  return `presentation.${nameOf({ key })}`;
}

/** Returns the name of a field in the protos, such as `opens_at_seconds`. */
export function nameOf({ key }: Pick<SaleField, "key">): string {
  return SalePresentationSchema.field[key].name;
}

/** Returns the value of a field in stored or entered settings. */
export function fieldValue(presentation: SalePresentation | undefined, { key }: SaleField): SaleFieldValue | undefined {
  return presentation?.[key];
}

/** Makes settings of values, leaving out those that are undefined; undefined if nothing is left. */
export function presentationOfValues(
  valueOfField: (field: SaleField) => SaleFieldValue | undefined,
): SalePresentation | undefined {
  const values = SALE_FIELDS.flatMap((field) => {
    const value = valueOfField(field);
    return value === undefined ? [] : [[field.key, value] as const];
  });
  return values.length === 0 ? undefined : Object.fromEntries(values);
}
