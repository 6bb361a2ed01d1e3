// SPDX-License-Identifier: Apache-2.0
// Contracts that may stand behind the address of a ticket or a wallet. For tests only.
pragma solidity ^0.8.28;

contract Erc165 {
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }
}

contract Tickets is Erc165 {
    mapping(uint256 => address) private owners;
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 id) external {
        owners[id] = to;
        balanceOf[to] += 1;
    }

    function transfer(address to, uint256 id) external {
        balanceOf[owners[id]] -= 1;
        owners[id] = to;
        balanceOf[to] += 1;
    }

    function ownerOf(uint256 id) external view returns (address) {
        require(owners[id] != address(0), "no such token");
        return owners[id];
    }
}

contract Reverting is Erc165 {
    function balanceOf(address) external pure returns (uint256) {
        revert("no");
    }
}

contract Burning is Erc165 {
    function balanceOf(address) external pure returns (uint256 sum) {
        while (true) sum += 1;
    }
}

contract Invalid is Erc165 {
    function balanceOf(address) external pure returns (uint256) {
        assembly {
            invalid()
        }
    }
}

contract Garbage is Erc165 {
    function balanceOf(address) external pure returns (uint256, uint256) {
        return (1, 1);
    }
}

/// An ERC-20: it has balances but does not support ERC-165.
contract Coin {
    function balanceOf(address) external pure returns (uint256) {
        return 1;
    }
}

/// Answers true to every call.
contract Yes {
    fallback() external {
        assembly {
            mstore(0, 1)
            return(0, 32)
        }
    }
}

contract SignsFor {
    error OffchainLookup(address sender, string[] urls, bytes data, bytes4 callback, bytes extra);

    bytes32 private immutable secret;
    uint8 private immutable kind;

    /// 0: checks the secret, 1: reverts, 2: burns its gas, 3: names a URL, 4: returns only 3 bytes
    constructor(bytes32 secret_, uint8 kind_) {
        secret = secret_;
        kind = kind_;
    }

    function isValidSignature(bytes32, bytes calldata signature) external view returns (bytes4) {
        if (kind == 1) revert("no");
        if (kind == 2) while (true) {}
        if (kind == 3) {
            string[] memory urls = new string[](1);
            urls[0] = string(signature);
            revert OffchainLookup(address(this), urls, "", 0x00000000, "");
        }
        if (kind == 4) {
            assembly {
                mstore(0, shl(224, 0x1626ba7e))
                return(0, 3)
            }
        }
        return keccak256(signature) == secret ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

contract Factory {
    function addressOf(bytes32 secret) public view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(SignsFor).creationCode, abi.encode(secret, uint8(0))));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(0), code)))));
    }

    function deploy(bytes32 secret) external returns (address) {
        return address(new SignsFor{salt: bytes32(0)}(secret, 0));
    }
}

/// An account that anyone can initialise, as long as nobody has. A delegated account (EIP-7702) begins like this.
contract Account {
    bytes32 public secret;

    function initialize(bytes32 secret_) external {
        require(secret == 0, "initialised");
        secret = secret_;
    }

    function isValidSignature(bytes32, bytes calldata signature) external view returns (bytes4) {
        return keccak256(signature) == secret ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// Skips its checks when it believes that it is simulated.
contract TrustsSimulations {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return tx.origin == address(0) ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// A collection that cannot say who owns a token.
contract Ownerless is Erc165 {
    function balanceOf(address) external pure returns (uint256) {
        return 1;
    }

    function ownerOf(uint256) external pure returns (address) {
        revert("cannot say");
    }
}
