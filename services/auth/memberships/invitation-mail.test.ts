import { expect, it } from "vitest";
import { ROLE_WORDS, type RoleName } from "../../../common/sale/words/role-words.ts";
import { invitationMail } from "./change-members.ts";

const ROLES = Object.keys(ROLE_WORDS) as RoleName[];

it.each(ROLES)("an invitation says what the role %s may do, in the words of the members' page", (role) => {
  const invitation = { saleUuid: "s", saleName: "Sale", role, email: "a@example.com", issuer: "https://auth.example" };
  const { text } = invitationMail(invitation);
  expect(text).toContain(`There you are ${role === "viewer" ? "a" : "an"} ${role}, who `);
  expect(text).toContain(ROLE_WORDS[role].detail.slice(1));
});
