import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { aSignerState } from './signer-state.ts';

/** A contract that is confirmed on the chain. */
export const aContract: Contract = {
  applicationId: 'one',
  address: '0x00000000000000000000000000000000000000cc',
  signer: aSignerState().id,
  name: 'Fan Club',
  symbol: 'FAN',
  description: null,
  image: null,
  media: [],
  royalty: null,
  nonce: 1,
  transactionHash: '0xaa',
  status: 'confirmed',
  salt: '0x00',
  collectionVersion: 1,
  createdAt: '2026-11-20T09:15:00.000Z',
};
