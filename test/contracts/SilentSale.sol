// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CommitmentData} from "./CommitmentDataReader.sol";
import {Owned} from "./Owned.sol";
import {RowList} from "./RowList.sol";

/// A sale without logs and without any optional function, whose owner sets, removes and moves rows at will.
contract SilentSale is RowList, Owned {
    function push(CommitmentData[] calldata rows) external onlyOwner {
        for (uint256 i = 0; i < rows.length; i++) _rows.push(rows[i]);
    }

    function set(uint256 index, CommitmentData calldata row) external onlyOwner {
        _rows[index] = row;
    }

    function swap(uint256 first, uint256 second) public onlyOwner {
        CommitmentData memory row = _rows[first];
        _rows[first] = _rows[second];
        _rows[second] = row;
    }

    /// The last row takes the place of the one that goes.
    function remove(uint256 index) external onlyOwner {
        swap(index, _rows.length - 1);
        _rows.pop();
    }
}
