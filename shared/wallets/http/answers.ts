import { checksummed } from '../../nft/hex.ts';
import type { LinkedWallet } from '../wallet.ts';

export const walletAnswer = ({ address, linkedAt }: LinkedWallet) => ({
  address: checksummed(address),
  linked_at: new Date(linkedAt).toISOString(),
});
