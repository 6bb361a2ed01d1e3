// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @title One customer's collection of tokens
/// @notice ERC-721 with royalties (ERC-2981), metadata updates (ERC-4906) and contract metadata (ERC-7572).
/// Not upgradeable. All metadata is served under a base address that the owner can move; where a token's
/// metadata is found follows from the base, this contract's address in lower case, and the token's id.
contract Collection is ERC721, ERC2981, Ownable, IERC4906 {
    using Strings for address;

    /// @notice ERC-7572: the answer of `contractURI` has changed.
    event ContractURIUpdated();

    string private _base;

    /// @param base Without a slash at its end, such as `https://api.example.com`.
    /// @param owner_ Alone can mint. Named, because a contract made through a CREATE2 proxy has the proxy as its sender.
    constructor(
        string memory name_,
        string memory symbol_,
        string memory base,
        address owner_
    ) ERC721(name_, symbol_) Ownable(owner_) {
        _base = base;
    }

    /// @notice Makes the token `id`, which the owner chooses, and gives it to `to`.
    /// @dev Does not ask a receiving contract (`_mint`, not `_safeMint`): a receiver that reverts or burns gas
    /// could otherwise block its mint, and with an unlucky gas limit one behind it.
    function mint(address to, uint256 id) external onlyOwner {
        _mint(to, id);
    }

    /// @notice Moves all metadata to another base address.
    function setBase(string calldata base) external onlyOwner {
        _base = base;
        emit BatchMetadataUpdate(0, type(uint256).max);
        emit ContractURIUpdated();
    }

    /// @notice Sets the royalty of every token, in hundredths of a per cent. A fraction of 0 asks for none.
    function setDefaultRoyalty(address receiver, uint96 fraction) external onlyOwner {
        _setDefaultRoyalty(receiver, fraction);
    }

    /// @notice ERC-7572: where the metadata of the collection is found.
    function contractURI() public view returns (string memory) {
        return string.concat(_base, "/api/v1/nft/contracts/", address(this).toHexString(), "/metadata");
    }

    /// @inheritdoc ERC721
    function supportsInterface(bytes4 interfaceId) public view override(ERC721, ERC2981, IERC165) returns (bool) {
        return interfaceId == bytes4(0x49064906) || super.supportsInterface(interfaceId);
    }

    function _baseURI() internal view override returns (string memory) {
        return string.concat(contractURI(), "/");
    }
}
