import type { Application } from '../../applications/application.ts';
import type { ApplicationSigners } from '../../applications/ports/applications.ts';
import { collectionVersion, deploymentGasLimit, encodeDeployment } from '../collection/collection.ts';
import type { Contract } from '../collection/contract.ts';
import { ContractNotFoundError } from '../errors.ts';
import { type Hex, lowerCase } from '../hex.ts';
import type { Contracts } from '../ports/contracts.ts';
import { applicationSigner } from './application-signer.ts';
import type { Idempotency } from './idempotency.ts';
import { type SubmitDependencies, submit } from './submit.ts';

export type DeployContractDependencies = SubmitDependencies & {
  readonly applications: ApplicationSigners;
  readonly contracts: Pick<Contracts, 'find'>;
  /** 32 random bytes. */
  readonly randomSalt: () => Hex;
  /** Where metadata is served, without a slash at its end: it goes into the contract. */
  readonly publicBaseUrl: string;
};

export interface Deployment
  extends Pick<Contract, 'name' | 'symbol' | 'description' | 'image' | 'media' | 'royalty'> {
  readonly application: Application;
  readonly idempotency: Idempotency;
}

/** Deploys a collection, or answers what the request's key made before. */
export const deployContract = (
  dependencies: DeployContractDependencies,
  { application, idempotency, name, symbol, description, image, media, royalty }: Deployment,
): Promise<Contract> => {
  const { contracts, clock, publicBaseUrl: base } = dependencies;
  return submit<Contract>(dependencies, {
    application,
    idempotency,
    quota: { what: 'contracts', by: 1, limit: application.limits.contractsPerDay },
    gas: deploymentGasLimit({ name, symbol, base }),
    signer: () => applicationSigner(dependencies, application),
    reserve: async ({ id: signer, address: owner }) => {
      const salt = dependencies.randomSalt();
      const deployment = encodeDeployment({ collection: { name, symbol, base, owner, royalty }, salt });
      const { to, data, gas } = deployment;
      const address = lowerCase(deployment.address);
      return {
        draft: {
          purpose: { kind: 'deploy', application: application.id, contract: address },
          to,
          data,
          gas,
        },
        make: (signed) => ({
          application: application.id,
          address,
          name,
          symbol,
          description,
          image,
          media,
          royalty,
          salt,
          collectionVersion,
          signer,
          status: 'pending',
          createdAt: new Date(clock()).toISOString(),
          ...signed,
        }),
        resource: (contract) => ({ kind: 'contract', contract }),
      };
    },
    madeBefore: async ({ address }) => {
      const contract = await contracts.find({ application: application.id, address });
      if (contract === undefined) throw new ContractNotFoundError({ address });
      return contract;
    },
  });
};
