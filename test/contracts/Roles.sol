// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Owned} from "./Owned.sol";

/// Roles that the owner gives and takes, read as in other contracts with roles.
abstract contract Roles is Owned {
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender);

    mapping(bytes32 role => mapping(address account => bool)) private _members;

    function hasRole(bytes32 role, address account) public view returns (bool) {
        return _members[role][account];
    }

    function grantRole(bytes32 role, address account) external onlyOwner {
        if (hasRole(role, account)) return;
        _members[role][account] = true;
        emit RoleGranted(role, account, msg.sender);
    }

    function revokeRole(bytes32 role, address account) external onlyOwner {
        if (!hasRole(role, account)) return;
        _members[role][account] = false;
        emit RoleRevoked(role, account, msg.sender);
    }
}
