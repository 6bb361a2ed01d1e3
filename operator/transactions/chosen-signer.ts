import { writtenAddressSchema } from '../../shared/nft/hex.ts';
import type { Chain, Signer } from '../../shared/nft/ports/chain.ts';
import { type SignerId, signerIdOf } from '../../shared/nft/transactions/entry.ts';
import { UsageError } from '../operator-error.ts';

/** The signer that `--signer` names, or else the stage's own. */
export const chosenSigner = async (
  { chain, signer }: { readonly chain: Pick<Chain, 'chainId'>; readonly signer: Pick<Signer, 'address'> },
  written: string | undefined,
): Promise<SignerId> => {
  if (written === undefined) return signerIdOf({ chainId: chain.chainId, address: await signer.address() });
  const parsed = writtenAddressSchema.safeParse(written);
  if (!parsed.success) throw new UsageError({ message: `${written} is no address (EIP-55).` });
  return signerIdOf({ chainId: chain.chainId, address: parsed.data });
};
