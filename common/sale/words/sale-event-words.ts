/**
 * Changes of a sale in the words of its activity log and of the mails to its owners. The part in brackets names the sale: a mail has it,
 * the sale's own log doesn't. A subject names nothing, so that no entered name stands in one.
 */
export const SALE_EVENTS = {
  sale_opened: { text: "The sale[ {sale}] was opened", subject: "A sale was opened" },
  sale_settled: { text: "The sale[ {sale}] was settled", subject: "A sale was settled" },
  sale_withdrawn: { text: "The sale[ {sale}] was withdrawn", subject: "A sale was withdrawn" },
  draft_deleted: { text: "The draft[ {sale}] was deleted", subject: "A draft was deleted" },
  participation_changed: {
    text: "The rules of taking part[ in the sale {sale}] were changed",
    subject: "The rules of taking part in a sale were changed",
  },
  permit_key_changed: {
    text: "A key that signs permits[ of the sale {sale}] was changed",
    subject: "A key that signs permits was changed",
  },
  entity_freeze_changed: {
    text: "Permits of an entity[ in the sale {sale}] were stopped or allowed again",
    subject: "Permits of an entity were stopped or allowed again",
  },
  commitments_imported: {
    text: "Commitments[ of the sale {sale}] were imported from a file",
    subject: "Commitments of a sale were imported from a file",
  },
} as const;

export type SaleEventName = keyof typeof SALE_EVENTS;

/** Says what was done, without a full stop. @param sale the sale's name as a mail has it; undefined in the sale's own log */
export function saleEventText(event: SaleEventName, sale?: string): string {
  return SALE_EVENTS[event].text.replace(/\[(.*?)\]/, (_, part: string) =>
    sale === undefined ? "" : part.replace("{sale}", () => sale),
  );
}
