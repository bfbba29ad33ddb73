// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {AuctionCheckpoint, ReadAuction} from "./ReadAuction.sol";

/// Code that nobody deploys: run by a call without a contract, it answers with checkpoints of an auction instead of code. Nodes
/// take at most 24,576 bytes of that, and none that begin with 0xef, as the number of a block never does.
contract AuctionCheckpointsCode {
    /// Answers with the block of the checkpoint that follows, 0 for none, and with three words for each checkpoint from that of a
    /// block backwards: price, block and ten-millionths in 20, 8 and 4 bytes; raised at the price; sum by price.
    constructor(ReadAuction auction, uint64 from, uint256 most) {
        uint256[] memory words = new uint256[](1 + 3 * most);
        uint256 count = 1;
        while (from != 0 && count < words.length) {
            AuctionCheckpoint memory found = auction.checkpoints(from);
            words[count++] = found.clearingPrice << 96 | uint256(from) << 32 | found.cumulativeMps;
            words[count++] = found.currencyRaisedAtClearingPriceQ96_X7;
            words[count++] = found.cumulativeMpsPerPrice;
            from = found.prev;
        }
        words[0] = from;
        assembly ("memory-safe") {
            return(add(words, 32), mul(count, 32))
        }
    }
}
