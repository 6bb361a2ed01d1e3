import { type Hex, lowerCase } from '../../chain/hex.ts';
import type { Application } from '../../platform/applications/application.ts';
import type { ApplicationSigners } from '../../platform/applications/ports/applications.ts';
import { type CollectionOptions, collectionVersion, encodeDeployment } from '../collections/collection.ts';
import type { Contract } from '../collections/contract.ts';
import { ContractNotFoundError } from '../errors.ts';
import type { Contracts } from '../ports/contracts.ts';
import type { ResourceReference } from '../ports/holds.ts';
import { signedOf } from '../transactions/entry.ts';
import { admit } from './admit.ts';
import { applicationSigner } from './application-signer.ts';
import { begin, type Idempotency } from './idempotency.ts';
import { broadcastRecorded, record, reserve, type SubmitDependencies } from './steps.ts';

export type DeployContractDependencies = SubmitDependencies & {
  readonly applications: ApplicationSigners;
  readonly contracts: Pick<Contracts, 'find'>;
  /** 32 random bytes. */
  readonly randomSalt: () => Hex;
};

export interface DeployRequest
  extends Pick<Contract, 'name' | 'symbol' | 'description' | 'image' | 'media' | 'royalty'>,
    CollectionOptions {
  readonly application: Application;
  readonly idempotency: Idempotency;
  /** The base address of the metadata, without a trailing slash. It is stored in the contract on the chain. */
  readonly base: string;
}

/** The contract that an earlier request with the same idempotency key created, in its current state. */
const deployedBefore = async (
  { contracts }: Pick<DeployContractDependencies, 'contracts'>,
  applicationId: string,
  { address }: ResourceReference,
): Promise<Contract> => {
  const contract = await contracts.find({ applicationId, address });
  if (contract === undefined) throw new ContractNotFoundError({ address });
  return contract;
};

/**
 * Deploys a collection in the same steps as `mintTokens`. If an earlier request with the same idempotency key created a
 * contract, returns that contract instead.
 */
export const deployContract = async (
  dependencies: DeployContractDependencies,
  {
    application,
    idempotency,
    base,
    name,
    symbol,
    description,
    image,
    media,
    royalty,
    maxSupply,
    transferable,
    revocable,
  }: DeployRequest,
): Promise<Contract> => {
  const { clock, randomSalt } = dependencies;
  const answerEarlier = (result: ResourceReference): Promise<Contract> => {
    idempotency.onRepeated?.();
    return deployedBefore(dependencies, application.id, result);
  };

  const begun = await begin(dependencies, { application, idempotency }, () =>
    applicationSigner(dependencies, application),
  );
  if (begun.outcome === 'repeated') return answerEarlier(begun.result);
  const { hold, startedAt, required: signer } = begun;

  const owner = await signer.signer.address();
  const salt = randomSalt();
  const options = { maxSupply, transferable, revocable };
  const deployment = encodeDeployment({
    collection: { name, symbol, base, owner, royalty, ...options },
    salt,
  });
  const { to, data, gas } = deployment;
  const contract = {
    applicationId: application.id,
    address: lowerCase(deployment.address),
    name,
    symbol,
    description,
    image,
    media,
    royalty,
    ...options,
    salt,
    collectionVersion,
    signer: signer.id,
    status: 'pending',
    createdAt: new Date(clock()).toISOString(),
  } as const;
  const purpose = { kind: 'deploy', applicationId: application.id, contract: contract.address } as const;

  const admission = await admit(dependencies, {
    application,
    signer,
    hold,
    quota: { what: 'contracts', by: 1, limit: application.limits.contractsPerDay },
    gas,
    startedAt,
  });
  if (admission.outcome === 'repeated') return answerEarlier(admission.result);

  const reserved = await reserve(dependencies, admission);
  const recorded = await record(dependencies, admission, {
    reserved,
    unsigned: { purpose, to, data, gas },
    resource: { kind: 'contract', contract },
  });
  if (recorded.outcome === 'repeated') return answerEarlier(recorded.result);

  await broadcastRecorded(dependencies, { ...recorded, startedAt });
  return { ...contract, ...signedOf(recorded.entry) };
};
