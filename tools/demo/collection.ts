import { type Confirmable, type Contract, createClient, type Nft } from '@marquee/client';
import {
  type Address,
  createPublicClient,
  type Hash,
  http,
  isAddress,
  isHash,
  type PublicClient,
  parseAbi,
} from 'viem';
import * as z from 'zod';
import { type Chapter, expectSame, later, UnexpectedError } from './step.ts';
import { applicationOf, bodyOf, call, type World } from './world.ts';

const receiver: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const collection = { name: 'Opening night', symbol: 'OPEN', chain: 'MATIC' } as const;
const metadata = {
  name: 'Seat 1',
  description: 'First row, at the aisle',
  attributes: [
    { trait_type: 'Row', value: '1' },
    { trait_type: 'Gate', value: 4 },
  ],
};

const abi = parseAbi([
  'function name() view returns (string)',
  'function contractURI() view returns (string)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function tokenURI(uint256 tokenId) view returns (string)',
]);

/** The local chain produces a block every second, but the machine may be busy. */
const confirmationSeconds = 90;

const confirmed = async (world: World, what: Confirmable): Promise<Hash> => {
  const { transaction_hash: hash } = await clientOf(world).waitUntilConfirmed(what, {
    timeout: confirmationSeconds * 1_000,
    signal: world.signal,
  });
  if (!isHash(hash)) throw new UnexpectedError({ expected: 'a transaction hash', seen: hash });
  return hash;
};

const clientOf = (world: World) =>
  createClient({ baseUrl: world.outputs().base_url, apiKey: applicationOf(world, 'demo').api_key });

const addressOf = ({ address }: Contract): Address => {
  if (!isAddress(address)) throw new UnexpectedError({ expected: 'an address', seen: address });
  return address;
};

const receiptOf = async (chain: PublicClient, hash: Hash) => {
  const receipt = await chain.getTransactionReceipt({ hash });
  expectSame({ expected: 'success', seen: receipt.status });
  return receipt;
};

const receiptText = ({ blockNumber, gasUsed }: { blockNumber: bigint; gasUsed: bigint }): string =>
  `block ${blockNumber}, gas ${gasUsed.toLocaleString('en')}`;

export const collectionChapter = (world: World): Chapter => {
  const contract = later<Contract>();
  const token = later<Nft>();
  const contracts = () => `${world.outputs().base_url}/api/v1/nft/contracts/`;
  const chain = () => createPublicClient({ transport: http(world.outputs().chain_rpc_url) });
  const read = () => ({ address: addressOf(contract.get()), abi }) as const;
  const get = (url: string) => call(url, { signal: world.signal });

  return {
    title: 'A collection and a token in it',
    steps: [
      {
        title: 'Refuse without a key',
        run: async () => {
          const answer = await call(contracts(), { body: collection, signal: world.signal });
          return `403 ${bodyOf(answer, { status: 403, schema: z.object({ message: z.literal('Forbidden') }) }).message}`;
        },
      },
      {
        title: 'Create a collection',
        run: async () => {
          contract.set(await clientOf(world).createContract(collection, { signal: world.signal }));
          expectSame({ expected: collection.name, seen: contract.get().name });
          return contract.get().address;
        },
      },
      {
        title: 'Mint token',
        run: async () => {
          const body = { destination: receiver, metadata };
          token.set(await clientOf(world).mintToken(contract.get().address, body, { signal: world.signal }));
          expectSame({ expected: receiver, seen: token.get().destinationn });
          return `id ${token.get().id}`;
        },
      },
      {
        title: 'Collection confirmed',
        run: async () => {
          const receipt = await receiptOf(chain(), await confirmed(world, contract.get()));
          expectSame({
            expected: collection.name,
            seen: await chain().readContract({ ...read(), functionName: 'name' }),
          });
          return receiptText(receipt);
        },
      },
      {
        title: 'Token confirmed',
        run: async () =>
          receiptText(
            await receiptOf(
              chain(),
              await confirmed(world, { contract: contract.get().address, id: token.get().id }),
            ),
          ),
      },
      {
        title: 'Owner on the chain',
        run: async () => {
          const args = [BigInt(token.get().id)] as const;
          const owner = await chain().readContract({ ...read(), functionName: 'ownerOf', args });
          expectSame({ expected: receiver, seen: owner });
          return owner;
        },
      },
      {
        title: 'Metadata at tokenURI',
        run: async () => {
          const args = [BigInt(token.get().id)] as const;
          const uri = await chain().readContract({ ...read(), functionName: 'tokenURI', args });
          const schema = z.object({
            name: z.string(),
            description: z.string(),
            attributes: z.array(
              z.looseObject({ trait_type: z.string(), value: z.union([z.string(), z.number()]) }),
            ),
          });
          const { name, description, attributes } = bodyOf(await get(uri), { status: 200, schema });
          const [row, gate] = attributes;
          expectSame({
            expected: { name: metadata.name, description: metadata.description, row: '1', gate: 4 },
            seen: { name, description, row: row?.value, gate: gate?.value },
          });
          return `“${name}”, ${description.toLowerCase()}`;
        },
      },
      {
        title: 'Metadata at contractURI',
        run: async () => {
          const uri = await chain().readContract({ ...read(), functionName: 'contractURI' });
          const schema = z.object({ name: z.literal(collection.name) });
          return `“${bodyOf(await get(uri), { status: 200, schema }).name}”`;
        },
      },
    ],
  };
};
