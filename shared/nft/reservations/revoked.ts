import type { Nft } from '../tokens/nft.ts';

/** The failure reason of a token that was revoked while it was reserved. */
export const revokedReason = 'revoked';

export const isRevokedReservation = ({ status, failureReason, reservedFor }: Nft): boolean =>
  status === 'failed' && failureReason === revokedReason && reservedFor !== undefined;
