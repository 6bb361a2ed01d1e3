import { checksummed } from '../../chain/hex.ts';
import type { LinkedWallet } from '../wallet.ts';

export const walletAnswer = ({ address, linkedAt, opensUntil }: LinkedWallet) => ({
  address: checksummed(address),
  linked_at: new Date(linkedAt).toISOString(),
  ...(opensUntil !== undefined && { expires_at: new Date(opensUntil).toISOString() }),
});
