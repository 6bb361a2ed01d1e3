import type { Receivers } from '../../shared/nft/http/requests.ts';
import { type ReserveTokensDependencies, reserveTokens } from '../../shared/nft/reservations/reserve.ts';
import { type Mint, type MintDependencies, mintTokens } from '../../shared/nft/submit/mint.ts';
import type { Nft } from '../../shared/nft/tokens/nft.ts';

export type IssueDependencies = MintDependencies & ReserveTokensDependencies;

/** Mints tokens to addresses, or reserves them for users. */
export const issueTokens = (
  dependencies: IssueDependencies,
  { receivers, ...request }: Omit<Mint, 'tokens'> & { readonly receivers: Receivers },
): Promise<readonly Nft[]> =>
  receivers.to === 'addresses'
    ? mintTokens(dependencies, { ...request, tokens: receivers.tokens })
    : reserveTokens(dependencies, { ...request, tokens: receivers.tokens });
