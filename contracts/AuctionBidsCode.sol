// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {AuctionBid, ReadAuction} from "./ReadAuction.sol";

/// Code that nobody deploys: run by a call without a contract, it answers with bids of an auction instead of code. Nodes take at
/// most 24,576 bytes of that, and none that begin with 0xef, as the number of bids never does.
contract AuctionBidsCode {
    /// Answers with the number of the auction's bids, and with three words for each bid from one ID up to, but not including,
    /// another: maximum price; amount; owner, start block and what was issued before it, in 20, 8 and 4 bytes.
    constructor(ReadAuction auction, uint256 from, uint256 to) {
        uint256[] memory words = new uint256[](1 + 3 * (to - from));
        words[0] = auction.nextBidId();
        uint256 next = 1;
        for (uint256 id = from; id < to; id++) {
            AuctionBid memory bid = auction.bids(id);
            words[next++] = bid.maxPrice;
            words[next++] = bid.amountQ96;
            words[next++] = uint256(uint160(bid.owner)) << 96 | uint256(bid.startBlock) << 32 | bid.startCumulativeMps;
        }
        assembly ("memory-safe") {
            return(add(words, 32), mul(mload(words), 32))
        }
    }
}
