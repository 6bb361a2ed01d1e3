import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetPublicKeyCommand, KMSClient, ListKeysCommand } from '@aws-sdk/client-kms';
import { ListExecutionsCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { createPublicClient, encodeFunctionData, http } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionAbi } from '../../support/nft/collection-abi.ts';
import { type ApiCall, callApi } from '../../support/platform/api-client.ts';
import { asBefore, type Exchange, recordExchanges } from '../../support/platform/release-exchanges.ts';
import { type System, startSystem } from '../../support/platform/system.ts';
import { operatorInProcess } from '../../support/stage/console/operator-in-process.ts';

const shell = promisify(execFile);
const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const patient = { interval: 250 };

interface Contract {
  readonly address: `0x${string}`;
  readonly is_confirmed: boolean;
  readonly status: string;
  readonly transaction_hash: string;
}
interface Nft {
  readonly id: string;
  readonly is_confirmed: boolean;
}

const aContract = {
  name: 'Tickets',
  symbol: 'TCK',
  description: 'd',
  chain: 'MATIC',
  image: null,
  media: [],
};
const aMint = { destination: receiver, metadata: { name: 'Seat 1', attributes: [] } };

const kept: readonly Exchange[] = JSON.parse(
  readFileSync(new URL('../platform/last-release.json', import.meta.url), 'utf8'),
);

let system: System;

beforeAll(async () => {
  system = await startSystem({ arguments: ['--empty'] });
});
afterAll(() => system?.dispose());

/** They come first, because what they read must be alone in the system. */
describe('customers of the last release who use nothing new', () => {
  it('get responses with the same bytes as from that release', async () => {
    const answers = await recordExchanges(
      system,
      operatorInProcess(join(system.stateDirectory, 'outputs.json')),
    );

    expect(answers.map(asBefore)).toEqual(kept);
  });
});

describe('the NFT calls of a running system', () => {
  let contracts: string;
  let key: string;
  let otherKey: string;
  let contract: Contract;

  const call = <Json = unknown>(path: string, props: ApiCall = {}) =>
    callApi<Json>(`${contracts}${path}`, { key, ...props });

  const create = async (body: unknown = aContract): Promise<Contract> => {
    const { status, json } = await call<Contract>('/', { body });
    expect(status).toBe(201);
    return json;
  };

  beforeAll(async () => {
    const { base_url, applications } = system.outputs;
    contracts = `${base_url}/api/v1/nft/contracts`;
    key = applications[0]?.api_key ?? '';
    otherKey = applications[1]?.api_key ?? '';
    contract = await create();
  });

  it('create a collection and a token that any client can read from the chain, with working URIs', async () => {
    const minted = await call<Nft>(`/${contract.address}/mint`, { body: aMint });
    await waitFor(async () => {
      const { json } = await call<Nft>(`/${contract.address}/tokens/${minted.json.id}`);
      expect(json).toMatchObject({ is_confirmed: true, status: 'confirmed' });
    }, patient);
    const chain = createPublicClient({ transport: http(system.outputs.chain_rpc_url) });
    const collection = { address: contract.address, abi: collectionAbi } as const;
    const tokenId = BigInt(minted.json.id);

    const [name, symbol, owner, tokenUri, contractUri, isErc721] = await Promise.all([
      chain.readContract({ ...collection, functionName: 'name' }),
      chain.readContract({ ...collection, functionName: 'symbol' }),
      chain.readContract({ ...collection, functionName: 'ownerOf', args: [tokenId] }),
      chain.readContract({ ...collection, functionName: 'tokenURI', args: [tokenId] }),
      chain.readContract({ ...collection, functionName: 'contractURI' }),
      chain.readContract({ ...collection, functionName: 'supportsInterface', args: ['0x80ac58cd'] }),
    ]);

    expect({ name, symbol, owner, isErc721 }).toEqual({
      name: 'Tickets',
      symbol: 'TCK',
      owner: receiver,
      isErc721: true,
    });
    const token = await callApi(tokenUri, { headers: { origin: 'https://wallet.example' } });
    const collectionMetadata = await callApi(contractUri);
    expect(token).toMatchObject({ status: 200, json: { name: 'Seat 1', attributes: [] } });
    expect(token.headers.get('access-control-allow-origin')).toBe('*');
    expect(collectionMetadata).toMatchObject({ status: 200, json: { name: 'Tickets', symbol: 'TCK' } });
  });

  const paths = ['/', '/CONTRACT', '/CONTRACT/tokens', '/CONTRACT/tokens/1', '/CONTRACT/mint', '/CONTRACT/'];

  it.each(paths)('answer 403 without an API key and with a wrong key: %s', async (path) => {
    const url = `${contracts}${path.replace('CONTRACT', contract.address)}`;
    const body = path.endsWith('mint') ? { body: aMint } : {};

    for (const refused of [await callApi(url, body), await callApi(url, { ...body, key: 'wrong' })]) {
      expect(refused).toMatchObject({ status: 403, json: { message: 'Forbidden' } });
    }
  });

  it('create a ticket collection that is limited, locked and revocable, in the API and on the chain', async () => {
    const options = { max_supply: 3, transferable: false, revocable: true };
    const { address } = await create({ ...aContract, ...options });
    const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
    const batch = { tokens: [aMint, { ...aMint, destination: other }] };
    expect((await call(`/${address}/mint/batch`, { body: batch })).status).toBe(201);
    expect(await call(`/${address}/mint/batch`, { body: batch })).toMatchObject({
      status: 409,
      json: { message: 'SUPPLY_EXHAUSTED', left: 1 },
    });
    expect((await call(`/${address}/mint`, { body: aMint })).status).toBe(201);
    expect((await call(`/${address}/mint`, { body: aMint })).status).toBe(409);
    const ofOther = await call<Nft[]>(`/${address}/tokens/?destination=${other}`);
    expect(ofOther.json).toMatchObject([{ id: '2' }]);
    await waitFor(async () => {
      expect((await call<Nft[]>(`/${address}/tokens/?status=confirmed`)).json).toHaveLength(3);
    }, patient);
    expect(await call(`/${address}/tokens/2/owner`)).toMatchObject({ status: 200, json: { owner: other } });

    const chain = createPublicClient({ transport: http(system.outputs.chain_rpc_url) });
    const data = encodeFunctionData({
      abi: collectionAbi,
      functionName: 'transferFrom',
      args: [other, receiver, 2n],
    });
    await expect(chain.call({ account: other, to: address, data })).rejects.toThrow();

    const revoke = (as = key) => call(`/${address}/tokens/2/revoke`, { method: 'POST', key: as });
    expect((await revoke(otherKey)).status).toBe(404);
    expect(await revoke()).toMatchObject({
      status: 200,
      json: { status: 'confirmed', revocation: { is_confirmed: false } },
    });
    await waitFor(async () => {
      expect((await call(`/${address}/tokens/2`)).json).toMatchObject({ revocation: { is_confirmed: true } });
    }, patient);
    expect((await call(`/${address}/metadata/2`)).status).toBe(404);
    expect((await call(`/${address}/tokens/2/owner`)).status).toBe(404);
  });

  it("are accompanied by AWS APIs that an operator's AWS clients can use", async () => {
    const client = {
      endpoint: system.outputs.aws_endpoint_url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    };
    const states = new SFNClient(client);
    const keys = new KMSClient(client);

    const { TableNames = [] } = await new DynamoDBClient(client).send(new ListTablesCommand({}));
    const { stateMachines = [] } = await states.send(new ListStateMachinesCommand({}));
    const { executions = [] } = await states.send(
      new ListExecutionsCommand({ stateMachineArn: stateMachines[0]?.stateMachineArn }),
    );
    const { Keys = [] } = await keys.send(new ListKeysCommand({}));
    const publicKeys = await Promise.allSettled(
      Keys.map(({ KeyId }) => keys.send(new GetPublicKeyCommand({ KeyId }))),
    );

    expect(TableNames.length).toBeGreaterThan(5);
    expect(executions[0]).toMatchObject({ status: expect.stringMatching(/RUNNING|SUCCEEDED/) });
    const specs = publicKeys.flatMap((key) => (key.status === 'fulfilled' ? [key.value.KeySpec] : []));
    expect(specs).toContain('ECC_SECG_P256K1');
  });

  it('end with the system, which leaves no process and no port when it stops', async () => {
    const exitCode = await system.stop();

    expect(exitCode).toBe(0);
    const { base_url, aws_endpoint_url, chain_rpc_url } = system.outputs;
    for (const url of [base_url, aws_endpoint_url, chain_rpc_url]) {
      await expect(fetch(url)).rejects.toThrow();
    }
    const { stdout } = await shell('ps', ['-A', '-o', 'args=']);
    expect(stdout).not.toContain(system.stateDirectory);
  });
});
