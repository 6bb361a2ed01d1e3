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
import { type Chapter, eventually, expectSame, later, UnexpectedError } from './step.ts';
import { applicationOf, bodyOf, call, type World } from './world.ts';

const receiver: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const collection = { name: 'Opening night', symbol: 'OPEN', chain: 'MATIC' };
const metadata = {
  name: 'Seat 1',
  description: 'First row, at the aisle',
  attributes: [{ trait_type: 'Row', value: '1', display_type: null }],
};

const abi = parseAbi([
  'function name() view returns (string)',
  'function contractURI() view returns (string)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function tokenURI(uint256 tokenId) view returns (string)',
]);

const transactionSchema = {
  is_confirmed: z.boolean(),
  transaction_hash: z.custom<Hash>((value) => typeof value === 'string' && isHash(value)),
};
const contractSchema = z.object({
  ...transactionSchema,
  address: z.custom<Address>((value) => typeof value === 'string' && isAddress(value)),
  name: z.string(),
});
const tokenSchema = z.object({
  ...transactionSchema,
  id: z.string().regex(/^\d+$/),
  destinationn: z.string(),
  metadata: z.object({ name: z.string() }),
});

/** Blocks of the local chain are a second apart, but the machine may be busy. */
const confirmationSeconds = 90;

const confirmed = async (world: World, url: string): Promise<Hash> => {
  const { api_key: key } = applicationOf(world, 'demo');
  const schema = z.object({ ...transactionSchema, status: z.string() });
  const seen = await eventually({
    look: async () => bodyOf(await call(url, { key, signal: world.signal }), { status: 200, schema }),
    isExpected: ({ is_confirmed, status }) => is_confirmed || status === 'failed',
    expected: 'is_confirmed: true',
    withinSeconds: confirmationSeconds,
    signal: world.signal,
  });
  if (!seen.is_confirmed) throw new UnexpectedError({ expected: 'is_confirmed: true', seen });
  return seen.transaction_hash;
};

/** What the chain itself says of a transaction. */
const receiptOf = async (chain: PublicClient, hash: Hash) => {
  const receipt = await chain.getTransactionReceipt({ hash });
  expectSame({ expected: 'success', seen: receipt.status });
  return receipt;
};

const receiptText = ({ blockNumber, gasUsed }: { blockNumber: bigint; gasUsed: bigint }): string =>
  `block ${blockNumber}, gas ${gasUsed.toLocaleString('en')}`;

export const collectionChapter = (world: World): Chapter => {
  const contract = later<z.output<typeof contractSchema>>();
  const token = later<z.output<typeof tokenSchema>>();
  const contracts = () => `${world.outputs().base_url}/api/v1/nft/contracts/`;
  const contractUrl = () => `${contracts()}${contract.get().address}`;
  const chain = () => createPublicClient({ transport: http(world.outputs().chain_rpc_url) });
  const read = () => ({ address: contract.get().address, abi }) as const;
  const key = () => applicationOf(world, 'demo').api_key;
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
          const answer = await call(contracts(), { key: key(), body: collection, signal: world.signal });
          contract.set(bodyOf(answer, { status: 201, schema: contractSchema }));
          expectSame({ expected: collection.name, seen: contract.get().name });
          return contract.get().address;
        },
      },
      {
        title: 'Mint token',
        run: async () => {
          const answer = await call(`${contractUrl()}/mint`, {
            key: key(),
            body: { destination: receiver, metadata },
            signal: world.signal,
          });
          token.set(bodyOf(answer, { status: 201, schema: tokenSchema }));
          expectSame({ expected: receiver, seen: token.get().destinationn });
          return `id ${token.get().id}`;
        },
      },
      {
        title: 'Collection confirmed',
        run: async () => {
          const receipt = await receiptOf(chain(), await confirmed(world, contractUrl()));
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
            await receiptOf(chain(), await confirmed(world, `${contractUrl()}/tokens/${token.get().id}`)),
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
            attributes: z.array(z.looseObject({ trait_type: z.string(), value: z.string() })),
          });
          const { name, description, attributes } = bodyOf(await get(uri), { status: 200, schema });
          const [row] = attributes;
          expectSame({
            expected: { name: metadata.name, description: metadata.description, row: '1' },
            seen: { name, description, row: row?.value },
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
