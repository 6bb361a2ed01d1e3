import { BaseError, type Client, ContractFunctionZeroDataError, createClient, fallback, http } from 'viem';
import { readContract } from 'viem/actions';
import { parseAbi } from 'viem/utils';
import * as z from 'zod';
import type { Address } from '../../../shared/chain/hex.ts';
import { rpcSecret } from '../../../shared/chain/rpc/rpc-secret.ts';
import { secretsClient } from '../../../shared/platform/aws/secrets-client.ts';
import { allContracts } from '../../nft/contracts/all-contracts.ts';
import { applicationsOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { accessDeniedIn } from '../../platform/terminal/access-denied.ts';

/** Collections, or why it is unknown which they are. */
export type CollectionsFound = readonly Address[] | { readonly unknown: string };

/** Who depends on the addresses of a deployed stage's APIs. */
export interface ServedAddresses {
  /** The collections that, according to the chain, have their metadata at API Gateway's own address of the base API. */
  collectionsAtOwnAddress(stage: string): Promise<CollectionsFound>;
  /** Whether one of the stage's APIs answers at this URL. */
  answers(url: string): Promise<boolean>;
}

const abi = parseAbi(['function contractURI() view returns (string)']);
const notFound = z.object({ status: z.literal(404), message: z.literal('NOT_FOUND') });
/** Calls in one request to an RPC endpoint. */
const batchSize = 100;
const patientMilliseconds = 10_000;

/** The contract's `contractURI`; `undefined` as long as there is no contract at the address. */
const uriOf = async (client: Client, address: Address): Promise<string | undefined> => {
  try {
    return await readContract(client, { address, abi, functionName: 'contractURI' });
  } catch (error) {
    if (error instanceof BaseError && error.walk((each) => each instanceof ContractFunctionZeroDataError)) {
      return undefined;
    }
    throw error;
  }
};

const atOwnAddress = async (target: Target): Promise<Address[]> => {
  const urls = rpcSecret({
    client: secretsClient({ settings: target.aws }),
    secretId: target.output('ChainSecretArn'),
  });
  const transports = (await urls.read()).urls.map((url) => http(url, { batch: { batchSize } }));
  const client = createClient({ transport: fallback(transports) });
  const applications = await applicationsOf(target).list();
  const contracts = (await Promise.all(applications.map(({ id }) => allContracts(target, id)))).flat();
  const own = `${target.output('OwnBaseUrl')}/`;
  const found: Address[] = [];
  for (let start = 0; start < contracts.length; start += batchSize) {
    const asked = contracts.slice(start, start + batchSize).map(({ address }) => address);
    const uris = await Promise.all(asked.map((address) => uriOf(client, address)));
    found.push(...asked.filter((_, index) => uris[index]?.startsWith(own)));
  }
  return found;
};

export const servedAddresses = (find: (stage: string) => Promise<Target>): ServedAddresses => ({
  collectionsAtOwnAddress: async (stage) => {
    try {
      return await atOwnAddress(await find(stage));
    } catch (error) {
      const denied = accessDeniedIn(error);
      if (denied !== undefined) return { unknown: `not known: ${denied.message}` };
      // The error contains the address of the endpoint, which may contain a key.
      if (!(error instanceof BaseError)) throw error;
      return { unknown: 'not known: no RPC endpoint says where the collections have their metadata' };
    }
  },
  answers: async (url) => {
    try {
      const signal = AbortSignal.timeout(patientMilliseconds);
      const response = await fetch(`${url}/preflight`, { redirect: 'manual', signal });
      return notFound.safeParse(await response.json()).success;
    } catch {
      return false;
    }
  },
});
