// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// How much of the supply is issued up to a block, in ten-millionths of it ("mps").
abstract contract ContinuousAuctionSchedule {
    error InvalidSteps();

    uint24 internal constant MPS = 1e7;
    uint256 private constant STEP_BYTES = 8;

    uint64 public immutable startBlock;
    uint64 public immutable endBlock;
    /// An account whose code is a zero byte, which keeps it from being run, and then the steps: 3 bytes of mps a block and 5
    /// bytes of a number of blocks each.
    address public immutable pointer;

    constructor(uint64 start, uint64 end, bytes memory steps) {
        if (start >= end) revert InvalidSteps();
        startBlock = start;
        endBlock = end;
        bytes memory code = bytes.concat(hex"00", steps);
        uint256 blocks;
        uint256 issued;
        for (uint256 offset = 1; offset < code.length; offset += STEP_BYTES) {
            (uint256 mps, uint256 length) = _step(code, offset);
            blocks += length;
            issued += mps * length;
        }
        if (steps.length % STEP_BYTES != 0 || blocks != end - start || issued != MPS) revert InvalidSteps();
        pointer = _store(code);
    }

    /// A function of the block alone: no checkpoint or bid changes it.
    function _issuedBefore(uint256 blockNumber) internal view returns (uint24) {
        bytes memory code = pointer.code;
        uint256 stepStart = startBlock;
        uint256 issued;
        for (uint256 offset = 1; offset < code.length && stepStart < blockNumber; offset += STEP_BYTES) {
            (uint256 mps, uint256 length) = _step(code, offset);
            uint256 passed = blockNumber - stepStart;
            issued += mps * (passed < length ? passed : length);
            stepStart += length;
        }
        return uint24(issued);
    }

    function _step(bytes memory code, uint256 offset) private pure returns (uint256 mps, uint256 blocks) {
        uint256 word;
        assembly ("memory-safe") {
            word := mload(add(add(code, 32), offset))
        }
        return (word >> 232, uint40(word >> 192));
    }

    /// Makes an account with this code. What is run once copies what follows its 10 bytes, and returns it.
    function _store(bytes memory code) private returns (address account) {
        bytes memory creation = abi.encodePacked(hex"61", uint16(code.length), hex"80600a3d393df3", code);
        assembly ("memory-safe") {
            account := create(0, add(creation, 32), mload(creation))
        }
        if (account == address(0)) revert InvalidSteps();
    }
}
