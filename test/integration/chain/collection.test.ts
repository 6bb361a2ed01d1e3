import { readFile } from 'node:fs/promises';
import { createClient, getAddress, http, publicActions, size, testActions, walletActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import artifact from '../../../contracts/artifacts/collection.json' with { type: 'json' };
import { bytecodeModule, compileCollection } from '../../../contracts/compile.ts';
import {
  decodeOwner,
  deploymentGasLimit,
  encodeDeployment,
  encodeMint,
  encodeOwnerOf,
  hasLogOf,
  hasMintLog,
  mintGasLimit,
} from '../../../shared/nft/collection/collection.ts';
import type { Address, Hex } from '../../../shared/nft/ports/chain.ts';
import { type Anvil, anvilPrivateKey, startAnvil } from '../../support/anvil.ts';
import { collectionAbi } from '../../support/collection-abi.ts';
import { aCollection, aSalt } from '../../support/collections.ts';

const owner = privateKeyToAccount(anvilPrivateKey);
const stranger = privateKeyToAccount(`0x${'42'.repeat(32)}`);

const connect = (anvil: Anvil) =>
  createClient({ account: owner, chain: foundry, transport: http(anvil.url), pollingInterval: 20 })
    .extend(testActions({ mode: 'anvil' }))
    .extend(publicActions)
    .extend(walletActions);

let anvil: Anvil;
let client: ReturnType<typeof connect>;
let salts = 0;

beforeAll(async () => {
  anvil = await startAnvil();
  client = connect(anvil);
  await client.setBalance({ address: stranger.address, value: 10n ** 18n });
});

afterAll(() => anvil.stop());

async function send(transaction: { to: Address; data: Hex; gas?: bigint; account?: typeof owner }) {
  const hash = await client.sendTransaction({ gas: 200_000n, ...transaction });
  return client.waitForTransactionReceipt({ hash });
}

async function deploy(collection = aCollection()) {
  salts += 1;
  const { address, to, data, gas } = encodeDeployment({ collection, salt: aSalt(salts) });
  const receipt = await send({ to, data, gas });
  return { address, receipt };
}

const mint = (address: Address, { to = stranger.address as Address, id }: { to?: Address; id: bigint }) =>
  send({ to: address, data: encodeMint({ destination: to, tokenId: id }), gas: mintGasLimit });

const read = (address: Address) => ({ address, abi: collectionAbi }) as const;

describe('the artifact', () => {
  it('is what compiling the sources gives, byte for byte', async () => {
    const compiled = compileCollection();

    expect(JSON.parse(JSON.stringify(compiled))).toEqual(artifact);
    const module = new URL('../../../contracts/artifacts/collection-bytecode.ts', import.meta.url);
    expect(await readFile(module, 'utf8')).toBe(bytecodeModule(compiled));
  });
});

describe('a deployment', () => {
  it('puts the committed code at the address known before, owned by its signer, and leaves a log', async () => {
    const { address, receipt } = await deploy();

    expect(receipt.status).toBe('success');
    expect(await client.getCode({ address })).toBe(artifact.deployedBytecode);
    expect(await client.readContract({ ...read(address), functionName: 'owner' })).toBe(owner.address);
    expect(hasLogOf({ logs: receipt.logs, collection: address })).toBe(true);
  });

  it('costs at most 1.4 M gas, and its code is small enough for any chain', async () => {
    const { receipt } = await deploy();

    expect(receipt.gasUsed).toBeLessThanOrEqual(1_400_000n);
    expect(size(artifact.deployedBytecode as Hex)).toBeLessThan(24_576);
  });

  it('stays within its gas limit with room of a sixth at the greatest lengths', async () => {
    // Bytes that are not zero cost most as call data.
    const largest = aCollection({
      name: 'é'.repeat(32),
      symbol: 'S'.repeat(16),
      base: `https://${'b'.repeat(248)}`,
    });

    const { receipt } = await deploy(largest);

    expect(receipt.status).toBe('success');
    expect((receipt.gasUsed * 7n) / 6n).toBeLessThan(deploymentGasLimit(largest));
  });

  it('reverts the second time and leaves the first as it is', async () => {
    const { address } = await deploy();
    const { to, data, gas } = encodeDeployment({ collection: aCollection(), salt: aSalt(salts) });

    const again = await send({ to, data, gas });

    expect(again.status).toBe('reverted');
    expect(await client.getCode({ address })).toBe(artifact.deployedBytecode);
  });

  it('gives the same contract when somebody else sends the bytes first', async () => {
    salts += 1;
    const { address, to, data, gas } = encodeDeployment({ collection: aCollection(), salt: aSalt(salts) });

    await send({ to, data, gas, account: stranger });

    expect(await client.readContract({ ...read(address), functionName: 'owner' })).toBe(owner.address);
  });
});

describe('the collection', () => {
  let address: Address;

  beforeAll(async () => {
    ({ address } = await deploy());
  });

  it('tells its name and symbol', async () => {
    expect(await client.readContract({ ...read(address), functionName: 'name' })).toBe('Fan Club');
    expect(await client.readContract({ ...read(address), functionName: 'symbol' })).toBe('FAN');
  });

  it.each([
    ['ERC-165', '0x01ffc9a7', true],
    ['ERC-721', '0x80ac58cd', true],
    ['ERC-721 metadata', '0x5b5e139f', true],
    ['ERC-2981 royalties', '0x2a55205a', true],
    ['ERC-4906 metadata updates', '0x49064906', true],
    ['ERC-1155', '0xd9b67a26', false],
    ['the invalid one', '0xffffffff', false],
  ] as const)('answers for the interface of %s', async (_, interfaceId, isSupported) => {
    expect(
      await client.readContract({ ...read(address), functionName: 'supportsInterface', args: [interfaceId] }),
    ).toBe(isSupported);
  });

  it('mints the id that its owner chooses and says where its metadata is', async () => {
    const receipt = await mint(address, { id: 41n });

    expect(
      hasMintLog({ logs: receipt.logs, collection: address, destination: stranger.address, tokenId: 41n }),
    ).toBe(true);
    const { data } = await client.call({ to: address, data: encodeOwnerOf(41n) });
    expect(decodeOwner(data ?? '0x')).toBe(stranger.address);
    expect(await client.readContract({ ...read(address), functionName: 'tokenURI', args: [41n] })).toBe(
      `https://api.example.com/api/v1/nft/contracts/${address.toLowerCase()}/metadata/41`,
    );
    expect(await client.readContract({ ...read(address), functionName: 'contractURI' })).toBe(
      `https://api.example.com/api/v1/nft/contracts/${address.toLowerCase()}/metadata`,
    );
  });

  it('has no URI for a token that was never minted', async () => {
    await expect(
      client.readContract({ ...read(address), functionName: 'tokenURI', args: [404n] }),
    ).rejects.toThrow('ERC721NonexistentToken');
  });

  it('mints for nobody but its owner', async () => {
    const data = encodeMint({ destination: stranger.address, tokenId: 1n });

    const receipt = await send({ to: address, data, account: stranger });

    expect(receipt.status).toBe('reverted');
    expect(receipt.logs).toEqual([]);
  });

  it('mints no id twice and nothing to the zero address', async () => {
    await mint(address, { id: 2n });

    expect((await mint(address, { id: 2n })).status).toBe('reverted');
    expect((await mint(address, { id: 3n, to: `0x${'0'.repeat(40)}` })).status).toBe('reverted');
  });

  it('mints to a contract without asking it, so that it cannot refuse', async () => {
    const refusing = getAddress(`0x${'c0de'.repeat(10)}`);
    await client.setCode({ address: refusing, bytecode: '0x5f5ffd' });

    const receipt = await mint(address, { id: 5n, to: refusing });

    expect(receipt.status).toBe('success');
    expect(await client.readContract({ ...read(address), functionName: 'ownerOf', args: [5n] })).toBe(
      refusing,
    );
  });

  it('costs what was measured to mint, within 5 %, and far less than the limit', async () => {
    const fresh = getAddress(`0x${'abcd'.repeat(10)}`);

    const first = await mint(address, { id: 100n, to: fresh });
    const next = await mint(address, { id: 101n, to: fresh });

    expect(deviation(first.gasUsed, 70_886n)).toBeLessThan(0.05);
    expect(deviation(next.gasUsed, 53_786n)).toBeLessThan(0.05);
    expect(first.gasUsed * 2n).toBeLessThan(mintGasLimit);
  });

  it('asks for no royalty until its owner sets one', async () => {
    const royalty = () =>
      client.readContract({ ...read(address), functionName: 'royaltyInfo', args: [41n, 10_000n] });
    expect((await royalty())[1]).toBe(0n);

    const hash = await client.writeContract({
      ...read(address),
      functionName: 'setDefaultRoyalty',
      args: [stranger.address, 250n],
    });
    await client.waitForTransactionReceipt({ hash });

    expect(await royalty()).toEqual([stranger.address, 250n]);
  });

  it('moves all metadata when its owner sets the base, and announces it (ERC-4906, ERC-7572)', async () => {
    const hash = await client.writeContract({
      ...read(address),
      functionName: 'setBase',
      args: ['https://next.example.com'],
    });
    await client.waitForTransactionReceipt({ hash });

    expect(await client.readContract({ ...read(address), functionName: 'tokenURI', args: [41n] })).toBe(
      `https://next.example.com/api/v1/nft/contracts/${address.toLowerCase()}/metadata/41`,
    );
    const events = await client.getContractEvents({ ...read(address), fromBlock: 0n });
    expect(events.filter(({ transactionHash }) => transactionHash === hash)).toMatchObject([
      { eventName: 'BatchMetadataUpdate', args: { _fromTokenId: 0n, _toTokenId: 2n ** 256n - 1n } },
      { eventName: 'ContractURIUpdated' },
    ]);
  });

  it.each([
    ['setBase', ['https://stranger.example.com']],
    ['setDefaultRoyalty', [stranger.address, 10_000n]],
    ['transferOwnership', [stranger.address]],
    ['renounceOwnership', []],
  ] as const)('lets nobody but its owner call %s', async (functionName, args) => {
    await expect(
      client.simulateContract({ ...read(address), functionName, args, account: stranger } as Parameters<
        typeof client.simulateContract
      >[0]),
    ).rejects.toThrow('OwnableUnauthorizedAccount');
  });
});

function deviation(measured: bigint, expected: bigint): number {
  return Math.abs(Number(measured - expected)) / Number(expected);
}
