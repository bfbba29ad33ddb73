// A page of an application that is written with the packages of the existing service. It shows what their hooks return.
import {
  SonarProvider,
  useCommitmentData,
  useEntityInvestmentHistory,
  useSonarAuth,
  useSonarClient,
  useSonarEntities,
  useSonarEntity,
  useSonarProfile,
  useSonarPurchase,
} from "@echoxyz/sonar-react";
import { createElement, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const { saleUUID, ...config } = JSON.parse(document.getElementById("settings").textContent);
const query = new URLSearchParams(location.search);
const [entityID, walletAddress] = [query.get("entity") ?? undefined, query.get("wallet") ?? undefined];

/** A result as JSON, with an error by its status. */
function Shown({ id, value }) {
  const text = JSON.stringify(value, (_, held) => (held instanceof Error ? { status: held.status } : held));
  return createElement("output", { id }, text);
}

/** Completes the sign-in on the way back from the sign-in pages. */
function Session() {
  const { login, logout, completeOAuth, authenticated, ready } = useSonarAuth();
  const [failure, setFailure] = useState();
  useEffect(() => {
    const [code, state] = [query.get("code"), query.get("state")];
    if (code === null || state === null) return;
    history.replaceState(null, "", "/");
    completeOAuth({ code, state }).catch((error) => setFailure(error.message));
  }, [completeOAuth]);
  return createElement(
    "nav",
    null,
    createElement("button", { type: "button", onClick: login }, "Sign in"),
    createElement("button", { type: "button", onClick: logout }, "Sign out"),
    createElement(Shown, { id: "session", value: { ready, authenticated, failure } }),
  );
}

function Purchase() {
  const purchase = useSonarPurchase({ saleUUID, entityID, walletAddress });
  const [permit, setPermit] = useState();
  const ask = () => purchase.generatePurchasePermit().then(setPermit);
  return createElement(
    "section",
    null,
    createElement(Shown, { id: "purchase", value: purchase }),
    createElement("button", { type: "button", onClick: ask, disabled: !purchase.readyToPurchase }, "Get a permit"),
    createElement(Shown, { id: "permit", value: permit ?? null }),
  );
}

function Facts() {
  const { authenticated } = useSonarAuth();
  window.client = useSonarClient();
  const facts = {
    profile: useSonarProfile(),
    entities: useSonarEntities({ saleUUID }),
    entity: useSonarEntity(entityID === undefined ? { saleUUID, walletAddress } : { saleUUID, entityID }),
    history: useEntityInvestmentHistory(),
    commitments: useCommitmentData({ saleUUID, pollingIntervalMs: 1_000 }),
  };
  const canBuy = authenticated && entityID !== undefined && walletAddress !== undefined;
  return createElement(
    "main",
    null,
    Object.entries(facts).map(([id, value]) => createElement(Shown, { key: id, id, value })),
    canBuy && createElement(Purchase),
  );
}

createRoot(document.getElementById("root")).render(
  createElement(SonarProvider, { config }, createElement(Session), createElement(Facts)),
);
