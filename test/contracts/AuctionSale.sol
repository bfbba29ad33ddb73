// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CommitmentData, CommitmentDataReader, WalletTokenAmount} from "./CommitmentDataReader.sol";
import {Owned} from "./Owned.sol";
import {SaleEvents} from "./SaleEvents.sol";

/// A sample auction for tests, benchmarks and the demo. Its owner acts for everybody and no token moves: only the
/// accounts are kept. One commitment per entity, listed in the order of first bids for ever.
contract AuctionSale is CommitmentDataReader, SaleEvents, Owned {
    struct TokenAmount {
        address token;
        uint256 amount;
    }

    /// What an entity adds to its commitment; the price and the lockup replace those before.
    struct BidInput {
        bytes16 entity;
        uint64 price;
        bool lockup;
        /// At least one; zero amounts are listed too.
        WalletTokenAmount[] added;
        /// Replaces what was there, unless it is empty.
        bytes extraData;
    }

    /// One storage slot: storing three words a pair would make large sales slow to set up.
    struct Pair {
        address wallet;
        uint8 tokenIndex;
        uint88 amount;
    }

    struct Commitment {
        /// 0: the entity has none.
        uint64 timestamp;
        uint64 price;
        bool lockup;
        bool refunded;
        Pair[] pairs;
        bytes extraData;
    }

    uint8 internal constant COMMITMENT = 1;

    error WrongStage(uint8 stage);
    error NoSuchStage(uint8 stage);
    error UnknownToken(address token);
    error UnknownEntity(bytes16 entity);
    error UnknownPair(bytes16 entity, address wallet, address token);
    error AlreadyRefunded(bytes16 entity);
    error PriceFalls(bytes16 entity, uint64 from, uint64 to);
    error AmountTooLarge(uint256 amount);
    error NothingAdded(bytes16 entity);

    bytes16 public immutable saleUUID;
    /// An older version of the contract leaves a cancelled commitment's amounts as they were.
    bool public immutable cancelledKeepsAmounts;

    /// 0 before the opening, 1 commitment; the later ones are numbered by the functions below.
    uint8 public stage;
    address[] internal _tokens;
    /// By index of the token; the sum over all rows, refunded ones included.
    uint256[] private _totals;
    bytes16[] internal _entities;
    mapping(bytes16 entity => Commitment) internal _commitments;

    constructor(bytes16 uuid, address[] memory tokens, bool keepsAmounts) {
        saleUUID = uuid;
        cancelledKeepsAmounts = keepsAmounts;
        for (uint256 i = 0; i < tokens.length; i++) addPaymentToken(tokens[i]);
    }

    /// Unlike in a real sale, stages may be left out and gone back to.
    function setStage(uint8 next) external onlyOwner {
        if (next > _doneStage()) revert NoSuchStage(next);
        emit StageChanged(stage, next);
        stage = next;
    }

    function addPaymentToken(address token) public onlyOwner {
        _tokens.push(token);
        _totals.push();
    }

    function bid(BidInput calldata input) external onlyOwner inStage(COMMITMENT) {
        _bid(input);
    }

    function bidMany(BidInput[] calldata inputs) external onlyOwner inStage(COMMITMENT) {
        for (uint256 i = 0; i < inputs.length; i++) _bid(inputs[i]);
    }

    /// Gives an entity back all that it has committed.
    function cancel(bytes16 entity) external onlyOwner inStage(_cancellationStage()) {
        Commitment storage commitment = _unrefunded(entity);
        uint256 total = _sum(commitment);
        if (!cancelledKeepsAmounts) {
            for (uint256 i = 0; i < commitment.pairs.length; i++) _take(commitment.pairs[i], commitment.pairs[i].amount);
        }
        commitment.refunded = true;
        emit EntityRefunded(entity, total);
    }

    /// Gives an entity a part back.
    function reduce(bytes16 entity, address wallet, address token, uint256 amount)
        external
        onlyOwner
        inStage(_cancellationStage())
    {
        Commitment storage commitment = _unrefunded(entity);
        uint8 tokenIndex = _tokenIndex(token);
        uint256 index = _pairIndex(commitment, wallet, tokenIndex);
        if (index == commitment.pairs.length) revert UnknownPair(entity, wallet, token);
        _take(commitment.pairs[index], amount);
        emit CommitmentReduced(entity, wallet, token, amount);
    }

    /// Marks the commitments of a range as refunded, winners too; their amounts stay.
    function settle(uint256 from, uint256 to) external onlyOwner inStage(_settlementStage()) {
        _checkRange(from, to);
        for (uint256 i = from; i < to; i++) {
            Commitment storage commitment = _commitments[_entities[i]];
            if (commitment.refunded) continue;
            commitment.refunded = true;
            emit EntityRefunded(_entities[i], _sum(commitment));
        }
    }

    function paymentTokens() external view returns (address[] memory) {
        return _tokens;
    }

    function totalCommittedAmountByToken() public view virtual returns (TokenAmount[] memory totals) {
        totals = new TokenAmount[](_tokens.length);
        for (uint256 i = 0; i < totals.length; i++) totals[i] = TokenAmount(_tokens[i], _totals[i]);
    }

    function numCommitments() external view returns (uint256) {
        return _entities.length;
    }

    function readCommitmentDataAt(uint256 index) external view returns (CommitmentData memory) {
        if (index >= _entities.length) revert OutOfRange(index, index + 1, _entities.length);
        return _read(_entities[index], _tokens);
    }

    function readCommitmentDataIn(uint256 from, uint256 to) external view returns (CommitmentData[] memory rows) {
        _checkRange(from, to);
        address[] memory tokens = _tokens;
        rows = new CommitmentData[](to - from);
        for (uint256 i = 0; i < rows.length; i++) rows[i] = _read(_entities[from + i], tokens);
    }

    function _cancellationStage() internal pure virtual returns (uint8) {
        return 2;
    }

    /// The stage in which commitments are marked as refunded.
    function _settlementStage() internal pure virtual returns (uint8) {
        return 3;
    }

    function _doneStage() internal pure virtual returns (uint8) {
        return 4;
    }

    modifier inStage(uint8 wanted) {
        if (stage != wanted) revert WrongStage(stage);
        _;
    }

    function _bid(BidInput calldata input) private {
        Commitment storage commitment = _commitments[input.entity];
        if (commitment.refunded) revert AlreadyRefunded(input.entity);
        if (input.price < commitment.price) revert PriceFalls(input.entity, commitment.price, input.price);
        if (input.added.length == 0) revert NothingAdded(input.entity);
        _replace(input.entity, input.price, input.lockup);
        if (input.extraData.length > 0) commitment.extraData = input.extraData;
        for (uint256 i = 0; i < input.added.length; i++) {
            _add(input.entity, input.added[i].wallet, input.added[i].token, input.added[i].amount);
        }
        emit BidPlaced(input.entity, input.added[0].wallet, Bid(input.lockup, input.price, _sum(commitment)));
    }

    /// Sets all of a commitment but its amounts, and lists it if it is new.
    function _replace(bytes16 entity, uint64 price, bool lockup) internal {
        Commitment storage commitment = _commitments[entity];
        if (commitment.timestamp == 0) _entities.push(entity);
        commitment.timestamp = uint64(block.timestamp);
        commitment.price = price;
        commitment.lockup = lockup;
    }

    function _add(bytes16 entity, address wallet, address token, uint256 amount) internal {
        Commitment storage commitment = _commitments[entity];
        uint8 tokenIndex = _tokenIndex(token);
        uint256 index = _pairIndex(commitment, wallet, tokenIndex);
        if (index == commitment.pairs.length) {
            commitment.pairs.push(Pair(wallet, tokenIndex, _uint88(amount)));
        } else {
            Pair storage pair = commitment.pairs[index];
            pair.amount = _uint88(pair.amount + amount);
        }
        _totals[tokenIndex] += amount;
        if (amount > 0) emit CommitmentIncreased(entity, wallet, token, amount);
    }

    function _take(Pair storage pair, uint256 amount) private {
        pair.amount = _uint88(pair.amount - amount);
        _totals[pair.tokenIndex] -= amount;
    }

    function _read(bytes16 entity, address[] memory tokens) private view returns (CommitmentData memory row) {
        Commitment storage commitment = _commitments[entity];
        row.commitmentID = bytes32(entity);
        row.saleSpecificEntityID = entity;
        row.timestamp = commitment.timestamp;
        row.price = commitment.price;
        row.lockup = commitment.lockup;
        row.refunded = commitment.refunded;
        row.amounts = new WalletTokenAmount[](commitment.pairs.length);
        for (uint256 i = 0; i < row.amounts.length; i++) {
            Pair memory pair = commitment.pairs[i];
            row.amounts[i] = WalletTokenAmount(pair.wallet, tokens[pair.tokenIndex], pair.amount);
        }
        row.extraData = commitment.extraData;
    }

    function _sum(Commitment storage commitment) internal view returns (uint256 sum) {
        for (uint256 i = 0; i < commitment.pairs.length; i++) sum += commitment.pairs[i].amount;
    }

    function _unrefunded(bytes16 entity) private view returns (Commitment storage commitment) {
        commitment = _commitments[entity];
        if (commitment.timestamp == 0) revert UnknownEntity(entity);
        if (commitment.refunded) revert AlreadyRefunded(entity);
    }

    /// @return the number of pairs where there is none of this wallet and token
    function _pairIndex(Commitment storage commitment, address wallet, uint8 tokenIndex) internal view returns (uint256) {
        uint256 count = commitment.pairs.length;
        for (uint256 i = 0; i < count; i++) {
            Pair storage pair = commitment.pairs[i];
            if (pair.wallet == wallet && pair.tokenIndex == tokenIndex) return i;
        }
        return count;
    }

    function _tokenIndex(address token) internal view returns (uint8) {
        for (uint256 i = 0; i < _tokens.length; i++) if (_tokens[i] == token) return uint8(i);
        revert UnknownToken(token);
    }

    function _takes(address token) internal view returns (bool) {
        for (uint256 i = 0; i < _tokens.length; i++) if (_tokens[i] == token) return true;
        return false;
    }

    function _checkRange(uint256 from, uint256 to) internal view {
        if (from > to || to > _entities.length) revert OutOfRange(from, to, _entities.length);
    }

    function _uint88(uint256 amount) private pure returns (uint88) {
        if (amount > type(uint88).max) revert AmountTooLarge(amount);
        return uint88(amount);
    }
}
