// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AuctionSale} from "./AuctionSale.sol";

/// An auction that breaks, when told to, the promises which readers of logs, totals, stages and versions rely on.
contract UnreliableSale is AuctionSale {
    event Unheard(bytes16 indexed entity);

    uint256 private _surplus;
    uint32 private _major;

    constructor(bytes16 uuid, address[] memory tokens, bool keepsAmounts) AuctionSale(uuid, tokens, keepsAmounts) {}

    /// Changes a row without any log.
    function setPriceSilently(bytes16 entity, uint64 price) external onlyOwner {
        _commitments[entity].price = price;
    }

    /// Changes a row with a log that no reader knows.
    function setPriceUnheard(bytes16 entity, uint64 price) external onlyOwner {
        _commitments[entity].price = price;
        emit Unheard(entity);
    }

    /// Makes the first token's total larger than the sum of the rows; 0 makes it right again.
    function setSurplus(uint256 surplus) external onlyOwner {
        _surplus = surplus;
    }

    /// Until then the contract has no version.
    function setVersion(uint32 major) external onlyOwner {
        _major = major;
    }

    function version() external view returns (uint32 major, uint32 minor, uint32 patch) {
        if (_major == 0) revert();
        return (_major, 7, 9);
    }

    /// Any stage can be set.
    function _doneStage() internal pure override returns (uint8) {
        return type(uint8).max;
    }

    function totalCommittedAmountByToken() public view override returns (TokenAmount[] memory totals) {
        totals = super.totalCommittedAmountByToken();
        totals[0].amount += _surplus;
    }
}
