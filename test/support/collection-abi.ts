import { parseAbi } from 'viem';

/** What a client of a collection calls, typed; the contract's own ABI is the artifact's. */
export const collectionAbi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function owner() view returns (address)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function balanceOf(address owner) view returns (uint256)',
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function contractURI() view returns (string)',
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'function royaltyInfo(uint256 tokenId, uint256 salePrice) view returns (address receiver, uint256 amount)',
  'function mint(address to, uint256 id)',
  'function setBase(string base)',
  'function mintBatch(address[] to, uint256 firstId)',
  'function emitMetadataUpdate(uint256 id)',
  'function emitBatchMetadataUpdate(uint256 fromId, uint256 toId)',
  'function emitContractURIUpdated()',
  'function setDefaultRoyalty(address receiver, uint96 fraction)',
  'function deleteDefaultRoyalty()',
  'function transferOwnership(address newOwner)',
  'function renounceOwnership()',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event BatchMetadataUpdate(uint256 _fromTokenId, uint256 _toTokenId)',
  'event ContractURIUpdated()',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error OwnableUnauthorizedAccount(address account)',
]);
