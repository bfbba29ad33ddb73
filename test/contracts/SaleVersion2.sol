// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AuctionSale} from "./AuctionSale.sol";
import {WalletTokenAmount} from "./CommitmentDataReader.sol";
import {EntityAllocationData, EntityAllocationDataReader} from "./EntityAllocationDataReader.sol";

/// A sale with the stages and cancellations of version 2 of the reference contract: 0 before the opening, 1 commitment,
/// 2 cancellation, 3 settlement, 4 done. Cancelled commitments lose their amounts, and once it is done, all commitments
/// are marked as refunded. In settlement, what is accepted of each is set.
contract SaleVersion2 is AuctionSale, EntityAllocationDataReader {
    struct Allocation {
        bytes16 entity;
        address wallet;
        address token;
        uint256 acceptedAmount;
    }

    event AllocationSet(bytes16 indexed entity, address indexed wallet, address indexed token, uint256 acceptedAmount);

    error AllocationAlreadySet(bytes16 entity);
    error AllocationExceedsCommitment(
        bytes16 entity, address wallet, address token, uint256 allocation, uint256 commitment
    );

    uint8 private constant SETTLEMENT = 3;

    /// By entity, and by index of its pair of wallet and token.
    mapping(bytes16 entity => mapping(uint256 pair => uint256)) private _accepted;
    mapping(uint8 tokenIndex => uint256) private _acceptedTotals;

    constructor(bytes16 uuid, address[] memory tokens) AuctionSale(uuid, tokens, false) {}

    function version() external pure returns (uint32 major, uint32 minor, uint32 patch) {
        return (2, 0, 0);
    }

    function setAllocations(Allocation[] calldata allocations, bool allowOverwrite)
        external
        onlyOwner
        inStage(SETTLEMENT)
    {
        for (uint256 i = 0; i < allocations.length; i++) _allocate(allocations[i], allowOverwrite);
    }

    function totalAcceptedAmountByToken() external view returns (TokenAmount[] memory totals) {
        totals = new TokenAmount[](_tokens.length);
        for (uint256 i = 0; i < totals.length; i++) totals[i] = TokenAmount(_tokens[i], _acceptedTotals[uint8(i)]);
    }

    function numEntityAllocations() external view returns (uint256) {
        return _entities.length;
    }

    function readEntityAllocationDataIn(uint256 from, uint256 to)
        external
        view
        returns (EntityAllocationData[] memory rows)
    {
        _checkRange(from, to);
        rows = new EntityAllocationData[](to - from);
        for (uint256 i = 0; i < rows.length; i++) rows[i] = _readAllocation(_entities[from + i]);
    }

    function _settlementStage() internal pure override returns (uint8) {
        return 4;
    }

    function _allocate(Allocation calldata allocation, bool allowOverwrite) private {
        bytes16 entity = allocation.entity;
        Commitment storage commitment = _commitments[entity];
        uint8 tokenIndex = _tokenIndex(allocation.token);
        uint256 index = _pairIndex(commitment, allocation.wallet, tokenIndex);
        if (index == commitment.pairs.length) revert UnknownPair(entity, allocation.wallet, allocation.token);
        uint256 before = _accepted[entity][index];
        if (before != 0 && !allowOverwrite) revert AllocationAlreadySet(entity);
        uint256 committed = commitment.pairs[index].amount;
        uint256 amount = allocation.acceptedAmount;
        if (amount > committed) {
            revert AllocationExceedsCommitment(entity, allocation.wallet, allocation.token, amount, committed);
        }
        _accepted[entity][index] = amount;
        _acceptedTotals[tokenIndex] = _acceptedTotals[tokenIndex] - before + amount;
        emit AllocationSet(entity, allocation.wallet, allocation.token, amount);
    }

    function _readAllocation(bytes16 entity) private view returns (EntityAllocationData memory row) {
        Commitment storage commitment = _commitments[entity];
        row.saleSpecificEntityID = entity;
        row.acceptedAmounts = new WalletTokenAmount[](commitment.pairs.length);
        for (uint256 i = 0; i < row.acceptedAmounts.length; i++) {
            Pair memory pair = commitment.pairs[i];
            row.acceptedAmounts[i] = WalletTokenAmount(pair.wallet, _tokens[pair.tokenIndex], _accepted[entity][i]);
        }
    }
}
