// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A contract that only the account which deployed it can change.
abstract contract Owned {
    error NotOwner();

    address private immutable _owner = msg.sender;

    modifier onlyOwner() {
        if (msg.sender != _owner) revert NotOwner();
        _;
    }
}
