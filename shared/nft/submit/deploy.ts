import { collectionVersion, deploymentGasLimit, encodeDeployment } from '../collection/collection.ts';
import type { Contract } from '../collection/contract.ts';
import { lowerCase } from '../hex.ts';
import type { CreateContract } from '../http/requests.ts';
import type { Hex } from '../ports/chain.ts';
import type { Contracts } from '../ports/contracts.ts';
import { signerIdOf } from '../transactions/entry.ts';
import type { Plan } from './record-transaction.ts';
import { type Accepting, accept, type WriteRequest } from './submit.ts';

export interface Deploying extends Accepting {
  readonly contracts: Contracts;
  /** 32 random bytes. */
  readonly randomSalt: () => Hex;
  /** Where metadata is served, without a slash at its end: it goes into the contract. */
  readonly publicBaseUrl: string;
}

/** Deploys a collection, or answers what the request's key made before. */
export const deploy = async (
  deps: Deploying,
  request: Omit<WriteRequest, 'body'> & { readonly body: CreateContract },
): Promise<Contract> => {
  const { name, symbol } = request.body;
  const base = deps.publicBaseUrl;

  const prepare = async (): Promise<Plan> => {
    const owner = await deps.signer.address();
    const salt = deps.randomSalt();
    const { address, to, data, gas } = encodeDeployment({
      collection: { name, symbol, base, owner, royalty: null },
      salt,
    });
    const contract = lowerCase(address);
    return {
      draft: { purpose: { kind: 'deploy', application: request.application.id, contract }, to, data, gas },
      resource: (made) => ({
        kind: 'contract',
        contract: {
          application: request.application.id,
          address: contract,
          name,
          symbol,
          description: request.body.description,
          image: request.body.image,
          media: request.body.media,
          salt,
          collectionVersion,
          signer: signerIdOf({ chainId: deps.chain.chainId, address: owner }),
          status: 'pending',
          createdAt: new Date(deps.clock()).toISOString(),
          ...made,
        },
      }),
    };
  };

  const accepted = await accept(deps, request, {
    what: 'contracts',
    limit: request.application.limits.contractsPerDay,
    gas: deploymentGasLimit({ name, symbol, base }),
    check: async () => {},
    prepare,
  });
  if (accepted.outcome === 'made' && accepted.resource.kind === 'contract') return accepted.resource.contract;
  if (accepted.outcome === 'replayed' && accepted.result.kind === 'contract') {
    const made = await deps.contracts.find({
      application: request.application.id,
      address: accepted.result.address,
    });
    if (made !== undefined) return made;
  }
  throw new Error('A deployment was accepted and made no contract');
};
