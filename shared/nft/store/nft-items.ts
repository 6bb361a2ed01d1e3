import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { type Address, addressSchema } from '../../chain/hex.ts';
import { decimalText } from '../../platform/parsing/decimals.ts';
import { withoutNulls } from '../../platform/parsing/json.ts';
import { type Contract, contractSchema } from '../collections/contract.ts';
import type { KeyScope } from '../ports/holds.ts';
import {
  type CollectionKey,
  type Nft,
  type NftAttribute,
  type NftKey,
  type NftMetadata,
  nftSchema,
} from '../tokens/nft.ts';

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export interface NftTables {
  readonly contracts: string;
  readonly nfts: string;
  readonly transactions: string;
  readonly requests: string;
  /** The wallets table, where the registrations of removed users end. Needed only to claim reserved tokens. */
  readonly wallets?: string | undefined;
}

/** Pads numbers to 16 digits, enough for every safe integer, so that keys sort like numbers. */
export const padded = (number: number | string): string => String(number).padStart(16, '0');

/** The key begins with the application, so that no request can reach another application's contracts. */
export const contractKey = ({ applicationId, address }: Pick<Contract, 'applicationId' | 'address'>) => ({
  pk: applicationId,
  sk: address,
});

export const collectionPartition = ({ applicationId, contract }: CollectionKey): string =>
  `${applicationId}#${contract}`;

export const collectionOf = (partition: unknown): CollectionKey => {
  const [applicationId = '', contract] = String(partition).split(/#(?=[^#]*$)/);
  return { applicationId, contract: addressSchema.parse(contract) };
};

/** The counter is in a different partition from the tokens, so that lists of tokens do not read it. */
export const counterKey = (key: CollectionKey) => ({
  pk: `${collectionPartition(key)}#counter`,
  sk: 'counter',
});

/**
 * A fence (see `Supplies`) is an item of its own, so that it does not conflict with mints, which all write the counter.
 */
export const fenceKey = ({ firstTokenId, ...key }: CollectionKey & { readonly firstTokenId: string }) => ({
  pk: counterKey(key).pk,
  sk: `fence#${padded(firstTokenId)}`,
});

export const nftKey = ({ applicationId, contract, tokenId }: NftKey) => ({
  pk: collectionPartition({ applicationId, contract }),
  sk: padded(tokenId),
});

/**
 * A note that a user has claimed a token, in the user's own partition. A claimed token names its wallet instead of the
 * user, so the user's claimed tokens are found by these notes.
 */
export const claimNoteKey = ({
  applicationId,
  contract,
  tokenId,
  reservedFor,
}: NftKey & { readonly reservedFor: Address }) => ({
  pk: claimNotesPartition({ applicationId, reservedFor }),
  sk: placeOf({ contract, tokenId }),
});

export const claimNotesPartition = ({
  applicationId,
  reservedFor,
}: Pick<Nft, 'applicationId'> & { readonly reservedFor: Address }): string =>
  `${applicationId}#claims#${reservedFor}`;

/** Sorts tokens of several contracts by their ids. */
export const placeOf = ({ contract, tokenId }: Pick<Nft, 'contract' | 'tokenId'>): string =>
  `${padded(tokenId)}#${contract}`;

/** The token whose place this is. */
export const tokenOfPlace = (place: unknown): Pick<NftKey, 'contract' | 'tokenId'> => {
  const [id, contract] = String(place).split('#');
  return { contract: addressSchema.parse(contract), tokenId: String(Number(id)) };
};

export const entryKey = ({ signer, nonce }: { readonly signer: string; readonly nonce: number }) => ({
  pk: signer,
  sk: padded(nonce),
});

/**
 * Sort keys of the log's index of changes: changes of the whole collection by time, and changes of tokens by range of
 * ids. Deployments, mints and noop transactions are not indexed: each contract and token stores its own.
 */
export const changeKey = {
  contract: (at: number) => `contract#${padded(at)}`,
  tokens: ({ from, to, at }: { readonly from: string; readonly to: string; readonly at: number }) =>
    `tokens#${padded(from)}#${padded(to)}#${padded(at)}`,
};

/** The bounds of the sort keys of all token changes whose first token id is at least `first` and at most `last`. */
export const changeKeysOfTokens = ({ first, last }: { readonly first: number; readonly last: number }) => ({
  from: `tokens#${padded(first)}`,
  to: `tokens#${padded(last + 1)}`,
});

export const holdKey = ({ applicationId, operation, key }: KeyScope) => ({
  pk: `KEY#${applicationId}#${key}`,
  sk: operation,
});

export const contractItem = ({ applicationId, ...contract }: Contract) => ({
  ...contractKey({ applicationId, address: contract.address }),
  listed: `${contract.createdAt}#${contract.address}`,
  application: applicationId,
  ...contract,
});

export const contractOf = ({ application, ...item }: Record<string, unknown>): Contract =>
  contractSchema.parse({ ...item, applicationId: application });

const nothing: Omit<NftMetadata, 'name' | 'attributes'> = {
  description: null,
  image: null,
  image_preview: null,
  image_thumbnail: null,
  background_color: null,
  animation_url: null,
  youtube_url: null,
};

/**
 * A number is stored as a decimal string with a mark: release 0.1.0 reads only strings as values, and ignores the mark.
 */
const storedAttribute = (attribute: NftAttribute) =>
  typeof attribute.value === 'number'
    ? { ...attribute, value: decimalText(attribute.value), number: true }
    : attribute;

const attributeOf = (stored: Readonly<Record<string, unknown>>) => {
  const { number, value } = stored;
  const isNumber = number === true && typeof value === 'string' && Number.isFinite(Number(value));
  return isNumber ? { ...stored, value: Number(value) } : stored;
};

/** Metadata is one JSON text, because nested attributes are slow to read in lists. Empty fields are left out. */
export const metadataText = ({ attributes, ...fields }: NftMetadata): string =>
  JSON.stringify({
    ...withoutNulls(fields),
    ...(attributes.length > 0 && { attributes: attributes.map(storedAttribute) }),
  });

const metadataOf = (text: unknown): unknown => {
  const { attributes = [], ...fields } = JSON.parse(String(text));
  return { ...nothing, ...fields, attributes: attributes.map(attributeOf) };
};

/** Application, contract and token id are only in the key, because each attribute makes lists slower to read. */
export const nftItem = ({ applicationId, contract, tokenId, metadata, ...nft }: Nft) => ({
  ...nftKey({ applicationId, contract, tokenId }),
  ...nft,
  metadata: metadataText(metadata),
});

export const nftOf = ({ pk, sk, metadata, ...item }: Record<string, unknown>): Nft => {
  return nftSchema.parse({
    ...item,
    ...collectionOf(pk),
    tokenId: String(Number(sk)),
    metadata: metadataOf(metadata),
  });
};
