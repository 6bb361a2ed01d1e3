import type { PurposeOf } from '../../../shared/nft/transactions/purpose.ts';
import type { TransactionKind } from '../../../shared/platform/watched.ts';

const collection = { applicationId: 'one', contract: '0x00000000000000000000000000000000000000cc' } as const;
const destination = '0x00000000000000000000000000000000000000aa';

/** A purpose of each kind. Tests that walk these have a case for each kind that is added. */
export const aPurposeOf: { readonly [Kind in TransactionKind]: PurposeOf<Kind> } = {
  deploy: { kind: 'deploy', ...collection },
  mint: { kind: 'mint', ...collection, firstTokenId: '7', destinations: [destination] },
  claim: { kind: 'claim', ...collection, tokenId: '7', destination },
  'update-metadata': { kind: 'update-metadata', ...collection, from: '7', to: '8' },
  'update-contract-metadata': { kind: 'update-contract-metadata', ...collection },
  'set-royalty': { kind: 'set-royalty', ...collection, royalty: null },
  revoke: { kind: 'revoke', ...collection, tokenId: '7' },
  'set-base': { kind: 'set-base', ...collection, base: 'https://tokens.example.com' },
  noop: { kind: 'noop' },
};

export const everyPurpose = Object.values(aPurposeOf);
