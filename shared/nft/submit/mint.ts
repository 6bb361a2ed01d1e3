import { encodeMint, mintGasLimit } from '../collection/collection.ts';
import type { Nft } from '../collection/nft.ts';
import { ContractFailedError, ContractNotFoundError } from '../errors.ts';
import type { MintToken } from '../http/requests.ts';
import { type Address, ChainUnavailableError } from '../ports/chain.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { Nfts } from '../ports/nfts.ts';
import type { Plan } from './record-transaction.ts';
import { type Accepting, accept, type WriteRequest } from './submit.ts';

export interface Minting extends Accepting {
  readonly contracts: Pick<Contracts, 'find'>;
  readonly nfts: Nfts;
}

/** Mints a token into the application's contract, or answers what the request's key made before. */
export const mint = async (
  deps: Minting,
  request: Omit<WriteRequest, 'body'> & { readonly body: MintToken; readonly contract: Address },
): Promise<Nft> => {
  const { contract, body } = request;
  const application = request.application.id;

  /** Nonce order puts the mint after the deployment, so a pending contract will do; only its own signer can mint. */
  const check = async (signerId: string): Promise<void> => {
    const found = await deps.contracts.find({ application, address: contract });
    if (found === undefined) throw new ContractNotFoundError({ address: contract });
    if (found.status === 'failed') {
      throw new ContractFailedError({ address: contract, reason: found.failureReason });
    }
    if (found.signer !== signerId) {
      throw new ChainUnavailableError({
        message: `Contract ${contract} belongs to signer ${found.signer}, this function has ${signerId}`,
      });
    }
  };

  const prepare = async (): Promise<Plan> => {
    const tokenId = await deps.nfts.takeTokenId({ application, contract });
    const { destination, metadata } = body;
    return {
      draft: {
        purpose: { kind: 'mint', application, contract, tokenId, destination },
        to: contract,
        data: encodeMint({ destination, tokenId: BigInt(tokenId) }),
        gas: mintGasLimit(1),
      },
      resource: (made) => ({
        kind: 'nft',
        nft: {
          application,
          contract,
          tokenId,
          destination,
          metadata,
          status: 'pending',
          createdAt: new Date(deps.clock()).toISOString(),
          ...made,
        },
      }),
    };
  };

  const accepted = await accept(deps, request, {
    what: 'mints',
    limit: request.application.limits.mintsPerDay,
    gas: mintGasLimit(1),
    check,
    prepare,
  });
  if (accepted.outcome === 'made' && accepted.resource.kind === 'nft') return accepted.resource.nft;
  if (accepted.outcome === 'replayed' && accepted.result.kind === 'nft') {
    const made = await deps.nfts.find({ application, contract, tokenId: accepted.result.tokenId });
    if (made !== undefined) return made;
  }
  throw new Error('A mint was accepted and made no token');
};
