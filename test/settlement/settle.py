"""The rule of docs/settlement.md, written from that page alone, with nothing but Python's standard library.

Reads a plan, or a book (a plan without its outcome), and writes the canonical plan. Commitments, amounts, refusals and limits may
be in any order. With --lines, each line of standard input is a book, and the SHA-256 of its plan is written for each.

    python3 test/settlement/settle.py plan.json > again.json
"""

import hashlib
import json
import sys


def pay(raw, decimals, payment_decimals):
    if payment_decimals >= decimals:
        return raw * 10 ** (payment_decimals - decimals)
    return raw // 10 ** (decimals - payment_decimals)


def to_raw(amount, decimals, payment_decimals):
    if decimals >= payment_decimals:
        return amount * 10 ** (decimals - payment_decimals)
    return amount // 10 ** (payment_decimals - decimals)


class Bid:
    """A commitment. Each of its amounts is a list: decimals, token, wallet, raw, worth, whether it is refused, accepted."""

    def __init__(self, row, decimals, payment_decimals, entities, wallets):
        self.id = row["commitmentId"]
        self.entity = row["entityId"]
        self.ticks = int(row["priceTicks"])
        self.amounts = []
        for amount in row["amounts"]:
            raw = int(amount["committed"])
            if raw == 0:
                continue
            digits = decimals[amount["token"]]
            refused = self.entity in entities or amount["wallet"] in wallets
            worth = pay(raw, digits, payment_decimals)
            self.amounts.append([digits, amount["token"], amount["wallet"], raw, worth, refused, 0])
        self.amounts.sort(key=lambda amount: amount[:4])
        self.committed = sum(amount[4] for amount in self.amounts)
        self.allowed = sum(amount[4] for amount in self.amounts if not amount[5])
        self.side = ""
        self.eligible = self.share = self.accepted = self.tokens = 0

    def divide(self, payment_decimals):
        open_amounts = [amount for amount in self.amounts if not amount[5]]
        if self.share == self.allowed and self.share > 0:
            for amount in open_amounts:
                amount[6] = amount[3]
        elif self.allowed > 0:
            for amount in open_amounts:
                amount[6] = to_raw(self.share * amount[4] // self.allowed, amount[0], payment_decimals)
            left = self.share - sum(pay(amount[6], amount[0], payment_decimals) for amount in open_amounts)
            for amount in open_amounts:
                room = to_raw(amount[4], amount[0], payment_decimals) - amount[6]
                more = min(room, to_raw(left, amount[0], payment_decimals))
                amount[6] += more
                left -= pay(more, amount[0], payment_decimals)
        self.accepted = sum(pay(amount[6], amount[0], payment_decimals) for amount in self.amounts)


def clearing_ticks(bids, pricing, numerator, denominator):
    """The highest affordable tick of the grid. Between two bids demand is the same, so each bid's tick bounds one candidate."""
    offered, floor, increment = (int(pricing[name]) for name in ("offeredAmount", "floorTicks", "incrementTicks"))
    best, demand = floor, 0
    for bid in sorted(bids, key=lambda bid: -bid.ticks):
        demand += bid.committed
        candidate = min(bid.ticks, demand * denominator // (numerator * offered))
        if candidate > best:
            best = max(best, candidate - (candidate - floor) % increment)
    return best


def side_of(ticks, price, is_auction):
    if is_auction:
        return "above" if ticks > price else "at" if ticks == price else "below"
    return "at" if ticks == 0 or ticks >= price else "below"


def set_eligible(bids, limits):
    left = dict(limits)
    counted = [bid for bid in bids if bid.side != "below"]
    counted.sort(key=lambda bid: (0, -bid.ticks, bid.id) if bid.side == "above" else (1, 0, bid.id))
    for bid in counted:
        bid.eligible = min(bid.allowed, left.get(bid.entity, bid.allowed))
        if bid.entity in left:
            left[bid.entity] -= bid.eligible


def set_shares(bids, room):
    """Returns what rounding leaves."""
    total = sum(bid.eligible for bid in bids)
    if room is None or total <= room:
        for bid in bids:
            bid.share = bid.eligible
        return 0
    for bid in bids:
        bid.share = bid.eligible * room // total
    return room - sum(bid.share for bid in bids)


def settle(book):
    terms = book["terms"]
    pricing, payment_decimals = terms["pricing"], terms["paymentTokenDecimals"]
    numerator, denominator = int(terms["priceTick"]["numerator"]), int(terms["priceTick"]["denominator"])
    decimals = {token["address"]: token["decimals"] for token in terms["paymentTokens"]}
    entities = {refusal["entityId"] for refusal in book["refusals"] if "entityId" in refusal}
    wallets = {refusal["wallet"] for refusal in book["refusals"] if "wallet" in refusal}
    bids = [Bid(row, decimals, payment_decimals, entities, wallets) for row in book["commitments"]]
    bids.sort(key=lambda bid: bid.id)

    is_auction = pricing["kind"] == "auction"
    price = clearing_ticks(bids, pricing, numerator, denominator) if is_auction else int(pricing["priceTicks"])
    for bid in bids:
        bid.side = side_of(bid.ticks, price, is_auction)
    set_eligible(bids, {limit["entityId"]: int(limit["largest"]) for limit in book["limits"]})

    above = [bid for bid in bids if bid.side == "above"]
    at = [bid for bid in bids if bid.side == "at"]
    sum_above, sum_at = sum(bid.eligible for bid in above), sum(bid.eligible for bid in at)
    capacity = int(pricing["offeredAmount"]) * price * numerator // denominator if "offeredAmount" in pricing else None
    remainder = set_shares(above, capacity)
    remainder += set_shares(at, None if capacity is None else max(0, capacity - sum_above))
    for bid in bids:
        bid.divide(payment_decimals)
        bid.tokens = 0 if price == 0 else bid.accepted * denominator // (price * numerator)

    totals = {
        "committed": str(sum(bid.committed for bid in bids)),
        "above": str(sum_above),
        "at": str(sum_at),
        "accepted": str(sum(bid.accepted for bid in bids)),
        "roundingRemainder": str(remainder),
        "divisionRemainder": str(sum(bid.share - bid.accepted for bid in bids)),
        "tokens": str(sum(bid.tokens for bid in bids)),
        "byToken": [
            {
                "token": token,
                "committed": str(sum(each[3] for bid in bids for each in bid.amounts if each[1] == token)),
                "accepted": str(sum(each[6] for bid in bids for each in bid.amounts if each[1] == token)),
            }
            for token in sorted(decimals)
        ],
    }
    if capacity is not None:
        totals["capacity"] = str(capacity)
    by_entity = sorted((each for each in book["refusals"] if "entityId" in each), key=lambda each: each["entityId"])
    by_wallet = sorted((each for each in book["refusals"] if "wallet" in each), key=lambda each: each["wallet"])
    return {
        "format": book["format"],
        "input": book["input"],
        "terms": {**terms, "paymentTokens": sorted(terms["paymentTokens"], key=lambda token: token["address"])},
        "refusals": by_entity + by_wallet,
        "limits": sorted(book["limits"], key=lambda limit: limit["entityId"]),
        "price": {"ticks": str(price), "numerator": str(price * numerator), "denominator": str(denominator)},
        "totals": totals,
        "commitments": [
            {
                "commitmentId": bid.id,
                "entityId": bid.entity,
                "side": bid.side,
                "priceTicks": str(bid.ticks),
                "committed": str(bid.committed),
                "eligible": str(bid.eligible),
                "share": str(bid.share),
                "accepted": str(bid.accepted),
                "tokens": str(bid.tokens),
                "amounts": [
                    {"wallet": each[2], "token": each[1], "committed": str(each[3]), "accepted": str(each[6])}
                    for each in bid.amounts
                ],
            }
            for bid in bids
        ],
    }


def plan_bytes(book):
    # Member names are ASCII, so that Python's order by code points is that of the RFC.
    text = json.dumps(settle(book), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8")


def main(arguments):
    if arguments == ["--lines"]:
        for line in sys.stdin.buffer:
            print(hashlib.sha256(plan_bytes(json.loads(line))).hexdigest())
        return
    with open(arguments[0], "rb") as file:
        sys.stdout.buffer.write(plan_bytes(json.load(file)))


if __name__ == "__main__":
    main(sys.argv[1:])
