/** A sender: an address of e-mail, with or without a name. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

const ADDRESS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9.-]{1,253}$/;
const NAMED = /^"?([^"<>\p{Cc}]{1,100}?)"? *<([^<>]+)>$/u;

/** Reads `name@example.com` or `Some Name <name@example.com>`; undefined for other text. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, name = "", address = text] = NAMED.exec(text) ?? [];
  return ADDRESS.test(address) ? { name: name.trim(), address } : undefined;
}

/** As a header shows it to people; `parseMailbox` admits no name with quotes. */
export function formatMailbox({ name, address }: Mailbox): string {
  return name === "" ? address : `"${name}" <${address}>`;
}
