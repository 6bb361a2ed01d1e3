import { type ScriptedRpc, startScriptedRpc } from './scripted-rpc.ts';

type Rpc = (method: string, ...parameters: readonly unknown[]) => Promise<unknown>;

interface Block {
  readonly number: string;
  readonly transactions: readonly { readonly hash: string; readonly from: string }[];
}

/** Blocks that are final two blocks later, as with anvil's slots of one block. */
const finalDepth = 2;

/**
 * A node that stands still on the chain as it is now. If the chain is rolled back afterwards, the node is on an
 * abandoned fork. It knows blocks, transactions, receipts and transaction counts, and that an address has no code.
 */
export const startAbandonedFork = async (rpc: Rpc): Promise<ScriptedRpc> => {
  const head = Number(await rpc('eth_blockNumber'));
  const chainId = await rpc('eth_chainId');
  const toHex = (number: number) => `0x${number.toString(16)}`;
  const blocks = (await Promise.all(
    Array.from({ length: head + 1 }, (_, number) => rpc('eth_getBlockByNumber', toHex(number), true)),
  )) as readonly Block[];
  const transactions = new Map(
    blocks.flatMap((block) => block.transactions).map((transaction) => [transaction.hash, transaction]),
  );
  const receipts = new Map(
    await Promise.all(
      [...transactions.keys()].map(
        async (hash) => [hash, await rpc('eth_getTransactionReceipt', hash)] as const,
      ),
    ),
  );
  const numberOf = (block: unknown): number => {
    if (block === 'latest' || block === 'pending') return head;
    return block === 'finalized' ? head - finalDepth : Number(block);
  };
  const answers: Readonly<Record<string, (first: unknown, second: unknown) => unknown>> = {
    eth_chainId: () => chainId,
    eth_blockNumber: () => toHex(head),
    eth_getBlockByNumber: (block) => blocks[numberOf(block)] ?? null,
    eth_getTransactionByHash: (hash) => transactions.get(String(hash)) ?? null,
    eth_getTransactionReceipt: (hash) => receipts.get(String(hash)) ?? null,
    eth_getTransactionCount: (address, block) =>
      toHex(
        blocks
          .slice(0, numberOf(block) + 1)
          .flatMap((each) => each.transactions)
          .filter(({ from }) => from.toLowerCase() === String(address).toLowerCase()).length,
      ),
    eth_getCode: () => '0x',
  };
  return startScriptedRpc((questions) =>
    questions.map(({ method, params }) => answers[method]?.(params[0], params[1]) ?? null),
  );
};
