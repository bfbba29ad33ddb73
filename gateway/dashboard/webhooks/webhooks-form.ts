/** Purpose of the forms on the page about webhooks. */
export const WEBHOOKS_FORM = "webhooks";
