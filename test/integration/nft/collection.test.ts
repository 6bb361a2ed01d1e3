import {
  type Abi,
  type BaseError,
  createClient,
  decodeErrorResult,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  getAddress,
  http,
  parseEventLogs,
  publicActions,
  size,
  type TransactionReceipt,
  testActions,
  walletActions,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import artifact from '../../../contracts/artifacts/collection.json' with { type: 'json' };
import { type Address, type Hex, zeroAddress } from '../../../shared/chain/hex.ts';
import {
  type CollectionOptions,
  decodeOwner,
  deploymentGasLimit,
  encodeDeployment,
  encodeMint,
  encodeMintBatch,
  encodeOwnerOf,
  hasLogOf,
  hasMintLog,
  mintGasLimit,
  type Royalty,
} from '../../../shared/nft/collections/collection.ts';
import { batchTokensAtMost } from '../../../shared/nft/collections/limits.ts';
import {
  contractMetadataUpdate,
  hasUpdateLog,
  metadataUpdate,
  revocation,
  royaltyUpdate,
} from '../../../shared/nft/collections/updates.ts';
import { firstAccess, polygonMintGas } from '../../../tools/bench/cost/polygon-gas.ts';
import { type Anvil, anvilPrivateKey, startAnvil } from '../../support/nft/anvil.ts';
import { anvilChain } from '../../support/nft/anvil-chain.ts';
import { collectionAbi } from '../../support/nft/collection-abi.ts';
import { aCollection, aSalt } from '../../support/nft/collections.ts';
import { minedReceipt } from '../../support/nft/mined-receipt.ts';

const owner = privateKeyToAccount(anvilPrivateKey);
const stranger = privateKeyToAccount(`0x${'42'.repeat(32)}`);

const connect = (anvil: Anvil) =>
  createClient({ account: owner, chain: anvilChain, transport: http(anvil.url), pollingInterval: 20 })
    .extend(testActions({ mode: 'anvil' }))
    .extend(publicActions)
    .extend(walletActions);

let anvil: Anvil;
let client: ReturnType<typeof connect>;
let salts = 0;

beforeAll(async () => {
  anvil = await startAnvil({ arguments: ['--steps-tracing'] });
  client = connect(anvil);
  await client.setBalance({ address: stranger.address, value: 10n ** 18n });
});

afterAll(() => anvil.stop());

async function send(transaction: { to: Address; data: Hex; gas?: bigint; account?: typeof owner }) {
  const hash = await client.sendTransaction({ gas: 200_000n, ...transaction });
  return minedReceipt(client, hash);
}

async function deploy(collection = aCollection(), salt?: Hex) {
  salts += 1;
  const { address, to, data, gas } = encodeDeployment({ collection, salt: salt ?? aSalt(salts) });
  const receipt = await send({ to, data, gas });
  return { address, receipt };
}

const mint = (address: Address, { to = stranger.address as Address, id }: { to?: Address; id: bigint }) =>
  send({ to: address, data: encodeMint({ destination: to, tokenId: id }), gas: mintGasLimit(1) });

const read = (address: Address) => ({ address, abi: collectionAbi }) as const;

describe('the ownership of a collection', () => {
  const call = (functionName: 'acceptOwnership' | 'renounceOwnership') =>
    encodeFunctionData({ abi: collectionAbi, functionName });
  const ownerOf = (address: Address) => client.readContract({ ...read(address), functionName: 'owner' });

  it('changes only when the new owner accepts it', async () => {
    const { address } = await deploy();
    const data = encodeFunctionData({
      abi: collectionAbi,
      functionName: 'transferOwnership',
      args: [stranger.address],
    });

    await send({ to: address, data });
    expect(await ownerOf(address)).toBe(owner.address);
    expect((await mint(address, { id: 1n })).status).toBe('success');

    await send({ to: address, data: call('acceptOwnership'), account: stranger });
    expect(await ownerOf(address)).toBe(stranger.address);
    expect((await mint(address, { id: 2n })).status).toBe('reverted');
  });

  it('cannot be renounced', async () => {
    const { address } = await deploy();

    const { status } = await send({ to: address, data: call('renounceOwnership') });

    expect(status).toBe('reverted');
    expect(await ownerOf(address)).toBe(owner.address);
  });
});

describe('a deployment', () => {
  it('stores the committed code at the predicted address, owned by the signer, and emits a log', async () => {
    const { address, receipt } = await deploy();

    expect(receipt.status).toBe('success');
    expect(await client.getCode({ address })).toBe(artifact.deployedBytecode);
    expect(await client.readContract({ ...read(address), functionName: 'owner' })).toBe(owner.address);
    expect(hasLogOf({ logs: receipt.logs, collection: address })).toBe(true);
  });

  it('has code that is smaller than the limit of any chain', () => {
    expect(size(artifact.deployedBytecode as Hex)).toBeLessThan(24_576);
  });

  it('uses at most six sevenths of its gas limit with the longest names and base address', async () => {
    // Non-zero bytes cost the most gas in calldata.
    const largest = aCollection({
      name: 'é'.repeat(32),
      symbol: 'S'.repeat(16),
      base: `https://${'b'.repeat(248)}`,
      royalty: { receiver: stranger.address, basisPoints: 1_000 },
    });

    const { receipt } = await deploy(largest);

    expect(receipt.status).toBe('success');
    expect(((await polygonGas(receipt)) * 7n) / 6n).toBeLessThan(deploymentGasLimit(largest));
  });

  it('reverts when it is repeated, and leaves the first contract unchanged', async () => {
    const { address } = await deploy();
    const { to, data, gas } = encodeDeployment({ collection: aCollection(), salt: aSalt(salts) });

    const again = await send({ to, data, gas });

    expect(again.status).toBe('reverted');
    expect(await client.getCode({ address })).toBe(artifact.deployedBytecode);
  });

  it('creates the same contract with the same owner when a stranger sends the bytes first', async () => {
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

  it('returns its name and symbol', async () => {
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
  ] as const)('supports the interface of %s as expected', async (_, interfaceId, isSupported) => {
    expect(
      await client.readContract({ ...read(address), functionName: 'supportsInterface', args: [interfaceId] }),
    ).toBe(isSupported);
  });

  it('mints the id that its owner chooses, and returns the URI of its metadata', async () => {
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

  it('reverts for the URI of a token that was never minted', async () => {
    await expect(
      client.readContract({ ...read(address), functionName: 'tokenURI', args: [404n] }),
    ).rejects.toThrow('ERC721NonexistentToken');
  });

  it('allows only its owner to mint', async () => {
    const data = encodeMint({ destination: stranger.address, tokenId: 1n });

    const receipt = await send({ to: address, data, account: stranger });

    expect(receipt.status).toBe('reverted');
    expect(receipt.logs).toEqual([]);
  });

  it('reverts for an id that was minted before and for the zero address', async () => {
    await mint(address, { id: 2n });

    expect((await mint(address, { id: 2n })).status).toBe('reverted');
    expect((await mint(address, { id: 3n, to: `0x${'0'.repeat(40)}` })).status).toBe('reverted');
  });

  it('mints to a contract without a callback, so that the contract cannot reject the token', async () => {
    const refusing = getAddress(`0x${'c0de'.repeat(10)}`);
    await client.setCode({ address: refusing, bytecode: '0x5f5ffd' });

    const receipt = await mint(address, { id: 5n, to: refusing });

    expect(receipt.status).toBe('success');
    expect(await client.readContract({ ...read(address), functionName: 'ownerOf', args: [5n] })).toBe(
      refusing,
    );
  });

  it('mints with at most two thirds of the gas limit', async () => {
    const receipt = await mint(address, { id: 100n, to: getAddress(`0x${'abcd'.repeat(10)}`) });

    expect((await polygonGas(receipt)) * 3n).toBeLessThan(mintGasLimit(1) * 2n);
  });

  it('moves all metadata and emits events (ERC-4906, ERC-7572) when its owner changes the base address', async () => {
    const hash = await client.writeContract({
      ...read(address),
      functionName: 'setBase',
      args: ['https://next.example.com'],
    });
    await minedReceipt(client, hash);

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
    ['mintBatch', [[stranger.address], 9_000n]],
    ['emitMetadataUpdate', [41n]],
    ['emitBatchMetadataUpdate', [0n, 41n]],
    ['emitContractURIUpdated', []],
    ['setDefaultRoyalty', [stranger.address, 10_000n]],
    ['deleteDefaultRoyalty', []],
    ['revoke', [41n]],
    ['transferOwnership', [stranger.address]],
    ['acceptOwnership', []],
  ] as const)('allows only its owner to call %s', async (functionName, args) => {
    await expect(
      client.simulateContract({ ...read(address), functionName, args, account: stranger } as Parameters<
        typeof client.simulateContract
      >[0]),
    ).rejects.toThrow('OwnableUnauthorizedAccount');
  });
});

describe('a batch mint on the chain', () => {
  let address: Address;

  beforeAll(async () => {
    ({ address } = await deploy());
  });

  const mintBatch = (destinations: readonly Address[], firstTokenId: bigint) =>
    send({
      to: address,
      data: encodeMintBatch({ destinations, firstTokenId }),
      gas: mintGasLimit(destinations.length),
    });

  it.each([1, 2, batchTokensAtMost])(
    'of %i tokens gives each receiver its token, in order',
    async (tokens) => {
      const firstTokenId = BigInt(tokens * 1_000);
      const destinations = firstTimeOwners(tokens);

      const { status, logs } = await mintBatch(destinations, firstTokenId);

      expect(status).toBe('success');
      expect(logs).toHaveLength(tokens);
      for (const [index, destination] of destinations.entries()) {
        const tokenId = firstTokenId + BigInt(index);
        expect(hasMintLog({ logs, collection: address, destination, tokenId })).toBe(true);
      }
    },
  );

  it('mints no token at all if one of them cannot be minted', async () => {
    await mint(address, { id: 502n });

    const taken = await mintBatch(firstTimeOwners(3), 500n);
    const toNobody = await mintBatch([stranger.address, zeroAddress], 600n);

    expect([taken.status, toNobody.status]).toEqual(['reverted', 'reverted']);
    expect([...taken.logs, ...toNobody.logs]).toEqual([]);
    expect(decodeOwner((await client.call({ to: address, data: encodeOwnerOf(502n) })).data ?? '0x')).toBe(
      stranger.address,
    );
    await expect(client.call({ to: address, data: encodeOwnerOf(600n) })).rejects.toThrow();
  });

  it('uses at most four fifths of its gas limit', async () => {
    const one = await mintBatch(firstTimeOwners(1), 10_000n);
    const most = await mintBatch(firstTimeOwners(batchTokensAtMost), 20_000n);

    expect((await polygonGas(one)) * 5n).toBeLessThan(mintGasLimit(1) * 4n);
    expect((await polygonGas(most)) * 5n).toBeLessThan(mintGasLimit(batchTokensAtMost) * 4n);
  });

  it('uses as much gas on Polygon as the guide reckons', async () => {
    for (const tokens of [1, batchTokensAtMost]) {
      const receipt = await mintBatch(firstTimeOwners(tokens), 30_000n + BigInt(tokens));
      const reckoned = polygonMintGas({ gas: Number(receipt.gasUsed), tokens });

      expect(Number(await polygonGas(receipt))).toBe(reckoned);
    }
  });

  it('needs less gas than a chain allows for one transaction, even with as many tokens as possible', () => {
    // EIP-7825 limits the gas of a transaction to 2^24; Polygon allows twice as much.
    expect(mintGasLimit(batchTokensAtMost)).toBeLessThan(2n ** 24n);
  });
});

describe('the gas of deployments and mints', () => {
  it('equals the kept snapshot', async () => {
    const { address, receipt } = await deploy(aCollection(), aSalt(1_000_000));
    const owners = (count: number) =>
      Array.from({ length: count }, (_, index) => getAddress(`0x${'a7'.repeat(19)}${index + 10}`));
    const first = await mint(address, { id: 1n, to: getAddress(`0x${'b8'.repeat(20)}`) });
    const next = await mint(address, { id: 2n, to: getAddress(`0x${'b8'.repeat(20)}`) });
    const batchOfTen = await send({
      to: address,
      data: encodeMintBatch({ destinations: owners(10), firstTokenId: 1_000n }),
      gas: mintGasLimit(10),
    });

    expect({
      deployment: receipt.gasUsed,
      firstMint: first.gasUsed,
      nextMint: next.gasUsed,
      batchOfTen: batchOfTen.gasUsed,
    }).toMatchInlineSnapshot(`
      {
        "batchOfTen": 495708n,
        "deployment": 1534708n,
        "firstMint": 70758n,
        "nextMint": 53658n,
      }
    `);
  });
});

describe('the options of a collection', () => {
  const deployed = async (options: CollectionOptions) => (await deploy(aCollection(options))).address;
  const mintMany = (to: Address, destinations: readonly Address[], firstTokenId: bigint) =>
    send({
      to,
      data: encodeMintBatch({ destinations, firstTokenId }),
      gas: mintGasLimit(destinations.length),
    });
  type Call = Omit<EncodeFunctionDataParameters<typeof collectionAbi>, 'abi'>;
  const call = (call: Call) =>
    encodeFunctionData({ ...call, abi: collectionAbi } as EncodeFunctionDataParameters);
  /** The error with which a call reverts; `undefined` if it does not revert. */
  const refusal = (to: Address, data: Hex, account = owner) =>
    client.call({ to, data, account }).then(
      () => undefined,
      (error: BaseError) => {
        const found = error.walk((cause) => 'data' in (cause as object)) as { readonly data?: Hex } | null;
        return found?.data === undefined
          ? error.message
          : decodeErrorResult({ abi: collectionAbi, data: found.data }).errorName;
      },
    );

  it('are readable on the chain', async () => {
    const read = async (options: CollectionOptions) => {
      const address = await deployed(options);
      await mint(address, { id: 1n });
      const of = { address, abi: collectionAbi } as const;
      return {
        maxSupply: await client.readContract({ ...of, functionName: 'maxSupply' }),
        revocable: await client.readContract({ ...of, functionName: 'revocable' }),
        locked: await client.readContract({ ...of, functionName: 'locked', args: [1n] }),
        // ERC-5192 has a collection report each token as locked or unlocked, so only a collection that locks its tokens
        // claims to support it.
        erc5192: await client.readContract({
          ...of,
          functionName: 'supportsInterface',
          args: ['0xb45a3c0e'],
        }),
      };
    };

    expect(await read({})).toEqual({ maxSupply: 0n, revocable: false, locked: false, erc5192: false });
    expect(await read({ maxSupply: 10 ** 9, transferable: false, revocable: true })).toEqual({
      maxSupply: 10n ** 9n,
      revocable: true,
      locked: true,
      erc5192: true,
    });
  });

  it('limit the supply for tokens of any id, and a revoked token makes no room', async () => {
    const address = await deployed({ maxSupply: 3, revocable: true });

    const batches = [
      await mintMany(address, firstTimeOwners(2), 1_000n),
      await mintMany(address, firstTimeOwners(2), 2_000n),
    ];
    const last = await mint(address, { id: 7n });
    await send({ to: address, data: call({ functionName: 'revoke', args: [7n] }) });
    const above = await mint(address, { id: 8n });

    expect([...batches, last, above].map(({ status }) => status)).toEqual([
      'success',
      'reverted',
      'success',
      'reverted',
    ]);
    expect(batches[1]?.logs).toEqual([]);
    const data = encodeMint({ destination: stranger.address, tokenId: 9n });
    expect(await refusal(address, data)).toBe('SupplyExhausted');
  });

  it('keep a locked token with its first owner, even if another account is approved for it', async () => {
    const address = await deployed({ transferable: false });
    const minted = await mint(address, { id: 1n });
    const batch = await mintMany(address, [stranger.address, stranger.address], 2n);
    const from = stranger.address;
    const approve = call({ functionName: 'approve', args: [owner.address, 1n] });
    await send({ to: address, data: approve, account: stranger });

    const parsed = parseEventLogs({
      abi: collectionAbi,
      logs: [...minted.logs, ...batch.logs],
      eventName: 'Locked',
    });
    expect(parsed.map(({ args }) => args.tokenId)).toEqual([1n, 2n, 3n]);
    const transfers = [
      call({ functionName: 'transferFrom', args: [from, owner.address, 1n] }),
      call({ functionName: 'safeTransferFrom', args: [from, owner.address, 1n] }),
      call({ functionName: 'safeTransferFrom', args: [from, owner.address, 1n, '0x'] }),
    ];
    for (const account of [stranger, owner]) {
      for (const data of transfers) expect(await refusal(address, data, account)).toBe('TokenLocked');
    }
    await expect(
      client.readContract({ address, abi: collectionAbi, functionName: 'locked', args: [9n] }),
    ).rejects.toThrow('ERC721NonexistentToken');
  });

  it('allow only the owner of a revocable collection to revoke a token, whoever holds the token', async () => {
    const address = await deployed({ revocable: true });
    const trusted = await deployed({});
    const revoke = call({ functionName: 'revoke', args: [1n] });
    for (const each of [address, trusted]) {
      await mint(each, { id: 1n });
      const args = [stranger.address, getAddress(`0x${'be'.repeat(20)}`), 1n] as const;
      const moved = await send({
        to: each,
        data: call({ functionName: 'transferFrom', args }),
        account: stranger,
      });
      expect(moved.status).toBe('success');
    }

    expect(await refusal(address, revoke, stranger)).toBe('OwnableUnauthorizedAccount');
    expect(await refusal(trusted, revoke)).toBe('NotRevocable');
    const update = revocation(1n);
    expect(update.data).toBe(revoke);
    const receipt = await send({ to: address, ...update });
    const { logs } = receipt;
    expect(hasUpdateLog({ logs, collection: address, update })).toBe(true);
    expect((await polygonGas(receipt)) * 10n).toBeLessThan(update.gas * 6n);

    expect(parseEventLogs({ abi: collectionAbi, logs })).toMatchObject([
      { eventName: 'Transfer', args: { to: zeroAddress, tokenId: 1n } },
    ]);
    expect(await refusal(address, revoke)).toBe('ERC721NonexistentToken');
  });

  it('leave a mint and a batch within four fifths of their gas limits', async () => {
    const address = await deployed({ maxSupply: 1_000, transferable: false, revocable: true });

    const single = await mint(address, { id: 1n, to: firstTimeOwners(1)[0] ?? owner.address });
    const batch = await mintMany(address, firstTimeOwners(batchTokensAtMost), 1_000n);

    expect([single.status, batch.status]).toEqual(['success', 'success']);
    expect((await polygonGas(single)) * 5n).toBeLessThan(mintGasLimit(1) * 4n);
    expect((await polygonGas(batch)) * 5n).toBeLessThan(mintGasLimit(batchTokensAtMost) * 4n);
  });
});

describe('an update transaction', () => {
  let address: Address;

  beforeAll(async () => {
    ({ address } = await deploy());
  });

  const royaltyOf = (collection: Address) =>
    client.readContract({ ...read(collection), functionName: 'royaltyInfo', args: [1n, 10_000n] });

  const most = 2n ** 50n;
  const royalty: Royalty = { receiver: stranger.address, basisPoints: 1_000 };
  it.each([
    ['the metadata of a token', metadataUpdate({ from: 7n, to: 7n }), 'MetadataUpdate'],
    ['the metadata of a range', metadataUpdate({ from: most, to: most + 94n }), 'BatchMetadataUpdate'],
    ['the metadata of the collection', contractMetadataUpdate(), 'ContractURIUpdated'],
    ['the royalty', royaltyUpdate(royalty), 'DefaultRoyaltyUpdated'],
    ['the royalty away', royaltyUpdate(null), 'DefaultRoyaltyUpdated'],
  ])('of %s emits its event and uses at most three fifths of its gas limit', async (_, update, event) => {
    const receipt = await send({ to: address, ...update });

    expect(receipt.status).toBe('success');
    expect(hasUpdateLog({ logs: receipt.logs, collection: address, update })).toBe(true);
    expect(parseEventLogs({ abi: artifact.abi as Abi, logs: receipt.logs })).toMatchObject([
      { eventName: event },
    ]);
    expect((await polygonGas(receipt)) * 10n).toBeLessThan(update.gas * 6n);
  });

  it('of the royalty changes what royaltyInfo returns, until the royalty is removed', async () => {
    const { address: collection } = await deploy();
    expect((await royaltyOf(collection))[1]).toBe(0n);

    await send({ to: collection, ...royaltyUpdate({ receiver: stranger.address, basisPoints: 250 }) });
    expect(await royaltyOf(collection)).toEqual([stranger.address, 250n]);

    await send({ to: collection, ...royaltyUpdate(null) });
    expect((await royaltyOf(collection))[1]).toBe(0n);
  });

  it('is not needed for the royalty given at the deployment', async () => {
    const { address: collection, receipt } = await deploy(aCollection({ royalty }));

    expect(await royaltyOf(collection)).toEqual([stranger.address, 1_000n]);
    expect(hasUpdateLog({ logs: receipt.logs, collection, update: royaltyUpdate(royalty) })).toBe(true);
  });
});

let owners = 0n;

/**
 * Addresses that never held a token. None of their bytes is zero, since non-zero bytes cost the most gas in calldata.
 */
const firstTimeOwners = (count: number): Address[] =>
  Array.from({ length: count }, () => {
    owners += 1n;
    return getAddress(`0x${'a7'.repeat(12)}${(owners + 0x11_11_11_11_11_11_11_11n).toString(16)}`);
  });

/**
 * The gas that the transaction uses on Polygon, where the first access to a storage slot costs more than on the test
 * node.
 */
async function polygonGas({ transactionHash, gasUsed }: TransactionReceipt): Promise<bigint> {
  const { structLogs } = (await anvil.rpc('debug_traceTransaction', transactionHash, {
    disableMemory: true,
    disableStack: true,
    disableStorage: true,
  })) as { readonly structLogs: readonly { readonly op: string; readonly gasCost: number }[] };
  const coldReads = structLogs.filter(({ op, gasCost }) => op === 'SLOAD' && gasCost === 2_100).length;
  const coldWrites = structLogs.filter(({ op, gasCost }) => op === 'SSTORE' && gasCost === 22_100).length;
  expect(coldReads + coldWrites).toBeGreaterThan(0);
  return gasUsed + BigInt(firstAccess.read * coldReads + firstAccess.write * coldWrites);
}
