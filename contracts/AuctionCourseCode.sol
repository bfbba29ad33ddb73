// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {AuctionCheckpoint, ReadAuction} from "./ReadAuction.sol";

/// Code that nobody deploys: run by a call without a contract, it answers with how far an auction has come. The answer begins
/// with the number of a block, because nodes take none that begins with 0xef, as a hash may.
contract AuctionCourseCode {
    struct Course {
        /// The block of the newest checkpoint that is stored; 0 for none.
        uint64 storedBlock;
        /// The block of the checkpoint that anybody could make now; that of the newest one where none can be made.
        uint64 madeBlock;
        /// From the end on, that of the end.
        AuctionCheckpoint made;
        /// By that checkpoint.
        bool isGraduated;
        /// The hash of the block's ancestor of a number; 0 for another block than the last 256 before it.
        bytes32 ancestor;
    }

    /// A checkpoint walks over ticks, and may run out of gas.
    constructor(ReadAuction auction, uint256 ancestorNumber) {
        Course memory course;
        course.storedBlock = auction.lastCheckpointedBlock();
        try auction.checkpoint{gas: gasleft() / 4 * 3}() {} catch {}
        course.madeBlock = auction.lastCheckpointedBlock();
        course.made = auction.checkpoints(course.madeBlock);
        course.isGraduated = auction.isGraduated();
        course.ancestor = blockhash(ancestorNumber);
        bytes memory answer = abi.encode(course);
        assembly ("memory-safe") {
            return(add(answer, 32), mload(answer))
        }
    }
}
