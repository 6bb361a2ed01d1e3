import type { Contract } from '../../shared/nft/collections/contract.ts';
import type { Nft } from '../../shared/nft/tokens/nft.ts';
import type { AnsweredDeed } from './reservations/told.ts';
import type { Request } from './workload.ts';

/** A response with a success. */
export interface Answer {
  readonly request: Request;
  readonly contract?: Contract;
  readonly tokens?: readonly Nft[];
  /** The token that was claimed, with its destination. */
  readonly claimed?: Nft;
  /** What the request has done to a token, as its history tells it. */
  readonly deed?: Pick<AnsweredDeed, 'what' | 'contract' | 'tokenId' | 'to'>;
}
