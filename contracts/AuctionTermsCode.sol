// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {ReadAuction} from "./ReadAuction.sol";

/// Code that nobody deploys: run by a call without a contract, it answers with what an auction was made with.
contract AuctionTermsCode {
    struct Terms {
        /// Of the block, as contracts count blocks: on some chains that is the number of another chain's.
        uint256 blockNumber;
        bool isSince1_1;
        /// Whether the auction has begun without its tokens.
        bool awaitsTokens;
        address token;
        address currency;
        uint256 totalSupply;
        uint256 startBlock;
        uint256 endBlock;
        uint256 claimBlock;
        uint256 floorPrice;
        uint256 tickSpacing;
        address validationHook;
        /// A zero byte, and then 8 bytes a step.
        bytes steps;
    }

    constructor(ReadAuction auction) {
        Terms memory terms;
        terms.blockNumber = block.number;
        terms.isSince1_1 = _isSince1_1(auction);
        terms.awaitsTokens = auction.nextBidId() == 0 && _awaitsTokens(auction);
        terms.token = auction.token();
        terms.currency = auction.currency();
        terms.totalSupply = auction.totalSupply();
        terms.startBlock = auction.startBlock();
        terms.endBlock = auction.endBlock();
        terms.claimBlock = auction.claimBlock();
        terms.floorPrice = auction.floorPrice();
        terms.tickSpacing = auction.tickSpacing();
        terms.validationHook = auction.validationHook();
        terms.steps = auction.pointer().code;
        bytes memory answer = abi.encode(terms);
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }

    /// Where there is such a function, it answers or refuses with a reason.
    function _isSince1_1(ReadAuction auction) private view returns (bool) {
        (, bytes memory answer) = address(auction).staticcall(abi.encodeCall(ReadAuction.lbpInitializationParams, ()));
        return answer.length > 0;
    }

    /// Without bids there are no ticks to walk over, for which a call could run out of gas.
    function _awaitsTokens(ReadAuction auction) private returns (bool) {
        try auction.checkpoint() {
            return false;
        } catch (bytes memory reason) {
            return bytes4(reason) == ReadAuction.TokensNotReceived.selector;
        }
    }
}
