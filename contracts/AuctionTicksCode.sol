// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ReadAuction} from "./ReadAuction.sol";

/// Code that nobody deploys: run by a call without a contract, it answers with ticks of an auction instead of code. Nodes take at
/// most 24,576 bytes of that, and none that begin with 0xef, as no price does.
contract AuctionTicksCode {
    /// Answers with the price of the tick that follows, 2^256 - 1 for none, and with two words for each tick from one on: price;
    /// demand of its bids.
    constructor(ReadAuction auction, uint256 from, uint256 most) {
        uint256[] memory words = new uint256[](1 + 2 * most);
        uint256 count = 1;
        while (from != type(uint256).max && count < words.length) {
            (uint256 next, uint256 demand) = auction.ticks(from);
            words[count++] = from;
            words[count++] = demand;
            from = next;
        }
        words[0] = from;
        assembly ("memory-safe") {
            return(add(words, 32), mul(count, 32))
        }
    }
}
