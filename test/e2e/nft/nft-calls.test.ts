import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetPublicKeyCommand, KMSClient, ListKeysCommand } from '@aws-sdk/client-kms';
import { ListExecutionsCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { createPublicClient, encodeFunctionData, getAddress, http } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { collectionAbi } from '../../support/nft/collection-abi.ts';
import { type ApiCall, callApi } from '../../support/platform/api-client.ts';
import { withoutRequestId } from '../../support/platform/refusal.ts';
import { type System, startSystem } from '../../support/platform/system.ts';

const shell = promisify(execFile);
const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const patient = { timeout: 60_000, interval: 250 };

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
interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly errors: readonly { readonly path: string }[];
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

describe('the NFT calls', () => {
  let system: System;
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
    system = await startSystem();
    const { base_url, applications } = system.outputs;
    contracts = `${base_url}/api/v1/nft/contracts`;
    key = applications[0]?.api_key ?? '';
    otherKey = applications[1]?.api_key ?? '';
    contract = await create();
  });
  afterAll(() => system?.dispose());

  it('does what the three lines of the greeting promise', async () => {
    const lines = system.printed().match(/^curl .*$/gm) ?? [];
    const paste = async (line = '') => JSON.parse((await shell('sh', ['-c', line])).stdout);

    const created = await paste(lines[0]);
    await vi.waitFor(async () => {
      expect(await paste(lines[1])).toMatchObject([{ address: created.address, is_confirmed: true }]);
    }, patient);
    const minted = await paste(lines[2]);

    expect(lines).toHaveLength(3);
    expect(created).toMatchObject({ is_confirmed: false, status: 'pending' });
    expect(minted).toMatchObject({ id: '1', is_confirmed: false, destinationn: receiver });
  });

  it('makes a collection and a token that any client reads from the chain, with URIs that resolve', async () => {
    const minted = await call<Nft>(`/${contract.address}/mint`, { body: aMint });
    await vi.waitFor(async () => {
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

  it('answers 201 with all fields of a contract, and with its URL in Location', async () => {
    const answer = await call<Contract>('', {
      body: { ...aContract, media: [{ type: 'image', value: 'https://x.example/i.png' }] },
    });

    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({
      ...aContract,
      media: [{ type: 'image', value: 'https://x.example/i.png' }],
      is_confirmed: false,
    });
    expect(answer.json.address).toBe(getAddress(answer.json.address));
    expect(answer.json.transaction_hash).toMatch(/^0x[0-9a-f]{64}$/);
    const read = await callApi<Contract>(answer.headers.get('location') ?? '', { key });
    expect(read.json.address).toBe(answer.json.address);
  });

  it('takes a mint into a contract that is not confirmed yet, and an address in any case', async () => {
    const fresh = await create();

    const minted = await call<Nft>(`/${fresh.address.toLowerCase()}/mint`, {
      body: { ...aMint, destination: receiver.toLowerCase() },
    });

    expect(minted).toMatchObject({ status: 201, json: { id: '1', destinationn: receiver } });
  });

  it('answers the same token for the same idempotency key', async () => {
    const mint = () =>
      call<Nft>(`/${contract.address}/mint`, { body: aMint, headers: { 'Idempotency-Key': 'seat-7' } });

    const first = await mint();
    const second = await mint();
    const otherBody = await call(`/${contract.address}/mint`, {
      body: { ...aMint, metadata: { name: 'Other' } },
      headers: { 'Idempotency-Key': 'seat-7' },
    });

    expect(second).toMatchObject({ status: 201, json: { id: first.json.id } });
    expect(otherBody).toMatchObject({ status: 422, json: { message: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('lists newest first, page by page, each once', async () => {
    const before = await call<Contract[]>('/?limit=100');
    const made = [await create(), await create(), await create()].map(({ address }) => address);

    const listed: string[] = [];
    let next: string | undefined = `${contracts}/?limit=2`;
    while (next !== undefined) {
      const page: Awaited<ReturnType<typeof callApi<Contract[]>>> = await callApi<Contract[]>(next, { key });
      expect(page.status).toBe(200);
      listed.push(...page.json.map(({ address }) => address));
      next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }

    expect(listed.slice(0, 3)).toEqual(made.reverse());
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toHaveLength(before.json.length + 3);
  });

  const paths = ['/', '/CONTRACT', '/CONTRACT/tokens', '/CONTRACT/tokens/1', '/CONTRACT/mint', '/CONTRACT/'];

  it.each(paths)('answers 403 without a key and with a wrong one: %s', async (path) => {
    const url = `${contracts}${path.replace('CONTRACT', contract.address)}`;
    const body = path.endsWith('mint') ? { body: aMint } : {};

    for (const refused of [await callApi(url, body), await callApi(url, { ...body, key: 'wrong' })]) {
      expect(refused).toMatchObject({ status: 403, json: { message: 'Forbidden' } });
    }
  });

  it.each(paths.slice(1))("answers 404 for another application's contract as for none: %s", async (path) => {
    const props = { key: otherKey, ...(path.endsWith('mint') ? { body: aMint } : {}) };

    const theirs = await call(path.replace('CONTRACT', contract.address), props);
    const none = await call(path.replace('CONTRACT', '0x00000000000000000000000000000000000000aa'), props);

    expect(theirs).toMatchObject({ status: 404, json: { status: 404, message: 'CONTRACT_NOT_FOUND' } });
    expect(withoutRequestId(none.text)).toBe(withoutRequestId(theirs.text));
  });

  const long = (length: number) => 'x'.repeat(length);
  const wrongContracts: [string, unknown, string][] = [
    ['no name', { ...aContract, name: undefined }, 'name'],
    ['an empty name', { ...aContract, name: '' }, 'name'],
    ['a name of another type', { ...aContract, name: 7 }, 'name'],
    ['a name over 64 bytes', { ...aContract, name: 'é'.repeat(33) }, 'name'],
    ['no symbol', { ...aContract, symbol: undefined }, 'symbol'],
    ['a symbol of another type', { ...aContract, symbol: ['A'] }, 'symbol'],
    ['a symbol over 16 bytes', { ...aContract, symbol: long(17) }, 'symbol'],
    ['a description of another type', { ...aContract, description: {} }, 'description'],
    ['a description over 4,000 bytes', { ...aContract, description: long(4_001) }, 'description'],
    ['no chain', { ...aContract, chain: undefined }, 'chain'],
    ['another chain', { ...aContract, chain: 'ETH' }, 'chain'],
    ['an image that is no URL', { ...aContract, image: 'picture' }, 'image'],
    ['an image over http', { ...aContract, image: 'http://x.example/i' }, 'image'],
    ['an image over 2,048 bytes', { ...aContract, image: `https://x.example/${long(2_048)}` }, 'image'],
    ['media of another type', { ...aContract, media: {} }, 'media'],
    [
      'a medium of another type',
      { ...aContract, media: [{ type: 'film', value: 'https://x.example' }] },
      'media[0].type',
    ],
    ['a medium without value', { ...aContract, media: [{ type: 'audio' }] }, 'media[0].value'],
    [
      '21 media',
      { ...aContract, media: Array(21).fill({ type: 'audio', value: 'https://x.example' }) },
      'media',
    ],
    ['an unknown field', { ...aContract, royalty: 5 }, 'royalty'],
  ];
  const withMetadata = (metadata: object) => ({ ...aMint, metadata: { ...aMint.metadata, ...metadata } });
  const wrongMints: [string, unknown, string][] = [
    ['no destination', { metadata: aMint.metadata }, 'destination'],
    ['a destination of another type', { ...aMint, destination: 5 }, 'destination'],
    ['a destination that is no address', { ...aMint, destination: '0x12' }, 'destination'],
    ['the zero address', { ...aMint, destination: `0x${'0'.repeat(40)}` }, 'destination'],
    ['a wrong checksum', { ...aMint, destination: receiver.replace('dc3A', 'dC3A') }, 'destination'],
    ['no metadata', { destination: receiver }, 'metadata'],
    ['metadata of another type', { ...aMint, metadata: 'x' }, 'metadata'],
    ['no name', { ...aMint, metadata: {} }, 'metadata.name'],
    ['a name of another type', withMetadata({ name: true }), 'metadata.name'],
    ['a description over 4,000 bytes', withMetadata({ description: long(4_001) }), 'metadata.description'],
    ['an image that is no URL', withMetadata({ image: 'x' }), 'metadata.image'],
    ['a preview of another type', withMetadata({ image_preview: 1 }), 'metadata.image_preview'],
    ['a thumbnail that is no URL', withMetadata({ image_thumbnail: 'x y' }), 'metadata.image_thumbnail'],
    ['a colour by name', withMetadata({ background_color: 'red' }), 'metadata.background_color'],
    [
      'an animation that is a script',
      withMetadata({ animation_url: 'javascript:alert(1)' }),
      'metadata.animation_url',
    ],
    ['a video that is no URL', withMetadata({ youtube_url: 'watch?v=1' }), 'metadata.youtube_url'],
    ['attributes of another type', withMetadata({ attributes: {} }), 'metadata.attributes'],
    ['101 attributes', withMetadata({ attributes: Array(101).fill({}) }), 'metadata.attributes'],
    [
      'an attribute value of another type',
      withMetadata({ attributes: [{ value: 1 }] }),
      'metadata.attributes[0].value',
    ],
    [
      'an unknown field of an attribute',
      withMetadata({ attributes: [{ kind: 'x' }] }),
      'metadata.attributes[0].kind',
    ],
    ['an unknown metadata field', withMetadata({ colour: '#000000' }), 'metadata.colour'],
    ['an unknown field', { ...aMint, amount: 1 }, 'amount'],
  ];

  it('answers 400 that names the field for everything wrong in either body, and changes nothing', async () => {
    const chain = createPublicClient({ transport: http(system.outputs.chain_rpc_url) });
    const owner = await chain.readContract({
      address: contract.address,
      abi: collectionAbi,
      functionName: 'owner',
    });
    const listed = async () => (await call('/?limit=100')).text;
    const tokens = async () => (await call(`/${contract.address}/tokens/?limit=100`)).text;
    const nonce = () => chain.getTransactionCount({ address: owner, blockTag: 'pending' });
    await vi.waitFor(async () => expect(await listed()).not.toContain('"is_confirmed":false'), patient);
    await vi.waitFor(async () => expect(await tokens()).not.toContain('"is_confirmed":false'), patient);
    const before = [await listed(), await tokens(), await nonce()];

    for (const [what, body, field] of wrongContracts) {
      const { status, json } = await call<Refusal>('/', { body });
      expect({ what, status, message: json.message, path: json.errors[0]?.path }).toEqual({
        what,
        status: 400,
        message: 'BAD_REQUEST',
        path: field,
      });
    }
    for (const [what, body, field] of wrongMints) {
      const { status, json } = await call<Refusal>(`/${contract.address}/mint`, { body });
      expect({ what, status, path: json.errors[0]?.path }).toEqual({ what, status: 400, path: field });
    }

    expect([await listed(), await tokens(), await nonce()]).toEqual(before);
  });

  it('makes a collection for tickets: limited, locked and revocable, here and on the chain', async () => {
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
    await vi.waitFor(async () => {
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
    await vi.waitFor(async () => {
      expect((await call(`/${address}/tokens/2`)).json).toMatchObject({ revocation: { is_confirmed: true } });
    }, patient);
    expect((await call(`/${address}/metadata/2`)).status).toBe(404);
    expect((await call(`/${address}/tokens/2/owner`)).status).toBe(404);
  });

  it('answers the AWS clients that an operator uses', async () => {
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

  it('leaves no process and no port behind when it is told to end', async () => {
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
