/** A link to the people who run a sale. */
export interface ContactLink {
  readonly href: string;
  /** The e-mail address, or the host of the page. */
  readonly text: string;
}

/** Returns the link that a sale's contact means, an e-mail address or an `https:` URL; undefined for none. */
export function contactLink(contact: string): ContactLink | undefined {
  if (contact.startsWith("https://")) return { href: contact, text: new URL(contact).host };
  const [local = "", domain = ""] = contact.split("@");
  if (local === "" || domain === "") return undefined;
  // Letters of an address, such as `?`, would otherwise begin fields of the mail.
  return { href: `mailto:${encodeURIComponent(local)}@${domain}`, text: contact };
}
