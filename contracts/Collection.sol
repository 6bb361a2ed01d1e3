// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @title One customer's collection of tokens
/// @notice ERC-721 with royalties (ERC-2981), metadata updates (ERC-4906) and contract metadata (ERC-7572).
/// Not upgradeable. All metadata is served under a base address that the owner can move; where a token's
/// metadata is found follows from the base, this contract's address in lower case, and the token's id.
contract Collection is ERC721, ERC2981, Ownable2Step, IERC4906 {
    using Strings for address;

    /// @notice ERC-7572: the answer of `contractURI`, or what is found there, has changed.
    event ContractURIUpdated();

    /// @notice The royalty of every token has changed. ERC-2981 has no event of its own.
    /// @param receiver The zero address when there is none any more.
    /// @param fraction In hundredths of a per cent.
    event DefaultRoyaltyUpdated(address indexed receiver, uint96 fraction);

    /// @notice A collection without an owner could never be minted into again.
    error OwnershipCannotBeRenounced();

    string private _base;

    /// @param base Without a slash at its end, such as `https://api.example.com`.
    /// @param owner_ Alone can mint. Named, because a contract made through a CREATE2 proxy has the proxy as its sender.
    /// @param royaltyReceiver The zero address for no royalty.
    /// @param royaltyFraction In hundredths of a per cent.
    constructor(
        string memory name_,
        string memory symbol_,
        string memory base,
        address owner_,
        address royaltyReceiver,
        uint96 royaltyFraction
    ) ERC721(name_, symbol_) Ownable(owner_) {
        _base = base;
        if (royaltyReceiver != address(0)) _updateDefaultRoyalty(royaltyReceiver, royaltyFraction);
    }

    /// @notice Makes the token `id`, which the owner chooses, and gives it to `to`.
    /// @dev Does not ask a receiving contract (`_mint`, not `_safeMint`): a receiver that reverts or burns gas
    /// could otherwise block its mint, and with an unlucky gas limit one behind it.
    function mint(address to, uint256 id) external onlyOwner {
        _mint(to, id);
    }

    /// @notice Makes the tokens from `firstId` on, one for each receiver in their order: all of them or none.
    /// @dev Asks no receiving contract, as `mint`.
    function mintBatch(address[] calldata to, uint256 firstId) external onlyOwner {
        for (uint256 i = 0; i < to.length; ++i) {
            _mint(to[i], firstId + i);
        }
    }

    /// @notice Moves all metadata to another base address.
    function setBase(string calldata base) external onlyOwner {
        _base = base;
        emit BatchMetadataUpdate(0, type(uint256).max);
        emit ContractURIUpdated();
    }

    /// @notice ERC-4906: says that what is found at the token's `tokenURI` has changed.
    function emitMetadataUpdate(uint256 id) external onlyOwner {
        emit MetadataUpdate(id);
    }

    /// @notice ERC-4906: the same of each token from `fromId` to `toId`, both included.
    function emitBatchMetadataUpdate(uint256 fromId, uint256 toId) external onlyOwner {
        emit BatchMetadataUpdate(fromId, toId);
    }

    /// @notice ERC-7572: says that what is found at `contractURI` has changed.
    function emitContractURIUpdated() external onlyOwner {
        emit ContractURIUpdated();
    }

    /// @notice Sets the royalty of every token, in hundredths of a per cent.
    /// @param receiver Not the zero address, which ERC-2981 has for "none": see `deleteDefaultRoyalty`.
    function setDefaultRoyalty(address receiver, uint96 fraction) external onlyOwner {
        _updateDefaultRoyalty(receiver, fraction);
    }

    /// @notice No token asks for a royalty any more.
    function deleteDefaultRoyalty() external onlyOwner {
        _deleteDefaultRoyalty();
        emit DefaultRoyaltyUpdated(address(0), 0);
    }

    /// @notice Reverts. Ownership is handed over in two steps: `transferOwnership`, then `acceptOwnership` by the new owner.
    function renounceOwnership() public pure override {
        revert OwnershipCannotBeRenounced();
    }

    /// @notice ERC-7572: where the metadata of the collection is found.
    function contractURI() public view returns (string memory) {
        return string.concat(_base, "/api/v1/nft/contracts/", address(this).toHexString(), "/metadata");
    }

    /// @inheritdoc ERC721
    function supportsInterface(bytes4 interfaceId) public view override(ERC721, ERC2981, IERC165) returns (bool) {
        return interfaceId == bytes4(0x49064906) || super.supportsInterface(interfaceId);
    }

    function _updateDefaultRoyalty(address receiver, uint96 fraction) private {
        _setDefaultRoyalty(receiver, fraction);
        emit DefaultRoyaltyUpdated(receiver, fraction);
    }

    function _baseURI() internal view override returns (string memory) {
        return string.concat(contractURI(), "/");
    }
}
