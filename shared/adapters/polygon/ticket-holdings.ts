import { newCache } from '../../cache.ts';
import type { Address, Hex } from '../../nft/hex.ts';
import type { HoldingQuestion, TicketHoldings } from '../../ott/ports/ticket-holdings.ts';
import type { Endpoints } from './endpoints.ts';
import type { RpcAnswer, RpcRequest } from './json-rpc.ts';
import { readRequest, returnedAt, wordOf } from './read-calls.ts';
import { count, resultOf } from './wire.ts';

type Ask = (requests: readonly RpcRequest[]) => Promise<readonly RpcAnswer[]>;

/** A read of a plain ERC-721 uses 3,000 gas. Behind proxies and registries it uses more. */
const readGas = 500_000;
/** ERC-165 allows a contract 30,000 gas for this call. A proxy needs somewhat more. */
const interfaceGas = 100_000;

const balanceOf = '0x70a08231';
const ownerOf = '0x6352211e';
const supportsInterface = '0x01ffc9a7';

/** By ERC-165, an ERC-721 contract says that it supports ERC-165 and ERC-721, but not the invalid id `ffffffff`. */
const interfaces = [
  { id: '01ffc9a7', isSupported: true },
  { id: 'ffffffff', isSupported: false },
  { id: '80ac58cd', isSupported: true },
];

const word = (digits: string): string => digits.padStart(64, '0');
const balanceRequest = (contract: Address, wallet: Address, block: number) =>
  readRequest({ to: contract, data: `${balanceOf}${word(wallet.slice(2))}`, gas: readGas }, block);
const ownerRequest = (contract: Address, tokenId: string, block: number) =>
  readRequest({ to: contract, data: `${ownerOf}${word(BigInt(tokenId).toString(16))}`, gas: readGas }, block);
const interfaceRequests = (contract: Address, block: number) =>
  interfaces.map(({ id }) => {
    const data: Hex = `${supportsInterface}${id.padEnd(64, '0')}`;
    return readRequest({ to: contract, data, gas: interfaceGas }, block);
  });

/**
 * How long a contract is remembered as an ERC-721. It can stop being one only if the contract behind a proxy is
 * replaced.
 */
const interfaceMilliseconds = 600_000;

/** Reads whether wallets hold tokens of any ERC-721 contracts. All answers are from one block of one endpoint. */
export const chainTicketHoldings = (endpoints: Pick<Endpoints, 'converse'>): TicketHoldings => {
  const known = newCache<true>({ capacity: 1_000, lifetimeMilliseconds: interfaceMilliseconds });

  const newestBlock = async (ask: Ask): Promise<number> =>
    resultOf(await ask([{ method: 'eth_blockNumber', params: [] }]), 0, count);

  /**
   * Returns the contracts that are ERC-721. The first answers in `answers` are those of the interface checks: for each
   * contract in `unknown` in turn, one answer per interface.
   */
  const erc721In = (unknown: readonly Address[], answers: readonly RpcAnswer[]): readonly Address[] => {
    const found = unknown.filter((_, at) =>
      interfaces.every(({ isSupported }, index) => {
        const said = wordOf(returnedAt(answers, at * interfaces.length + index));
        // A call that fails counts as "not supported", as in OpenZeppelin's ERC165Checker. For the id `ffffffff`, an
        // ERC-721 contract must answer "not supported"; for the other two ids, it must not.
        return isSupported ? said === 1n : said !== 1n;
      }),
    );
    for (const contract of found) known.set(contract, true);
    return found;
  };

  const balances = async (ask: Ask, { wallets, contracts }: HoldingQuestion, block: number) => {
    const unknown = contracts.filter((contract) => known.get(contract) === undefined);
    const pairs = contracts.flatMap((contract) => wallets.map((wallet) => ({ contract, wallet })));
    const answers = await ask([
      ...unknown.flatMap((contract) => interfaceRequests(contract, block)),
      ...pairs.map(({ contract, wallet }) => balanceRequest(contract, wallet, block)),
    ]);
    const isErc721 = new Set([
      ...contracts.filter((contract) => !unknown.includes(contract)),
      ...erc721In(unknown, answers),
    ]);
    const offset = unknown.length * interfaces.length;
    const held = new Map<Address, bigint>();
    for (const [index, { contract }] of pairs.entries()) {
      const balance = wordOf(returnedAt(answers, offset + index)) ?? 0n;
      if (balance > 0n && isErc721.has(contract)) held.set(contract, (held.get(contract) ?? 0n) + balance);
    }
    return held;
  };

  const voidBalances = async (
    ask: Ask,
    { wallets, voidTokens }: HoldingQuestion,
    { contracts, block }: { readonly contracts: readonly Address[]; readonly block: number },
  ) => {
    const suspects = contracts.flatMap((contract) =>
      (voidTokens.get(contract) ?? []).map((tokenId) => ({ contract, tokenId })),
    );
    const taken = new Map<Address, bigint>();
    if (suspects.length === 0) return taken;
    const answers = await ask(
      suspects.map(({ contract, tokenId }) => ownerRequest(contract, tokenId, block)),
    );
    for (const [index, { contract }] of suspects.entries()) {
      const owner = wordOf(returnedAt(answers, index));
      const isOurs = wallets.some((wallet) => BigInt(wallet) === owner);
      if (isOurs) taken.set(contract, (taken.get(contract) ?? 0n) + 1n);
    }
    return taken;
  };

  return {
    isHeld: (question) =>
      endpoints.converse(async (ask) => {
        const block = await newestBlock(ask);
        const held = await balances(ask, question, block);
        const voided = await voidBalances(ask, question, { contracts: [...held.keys()], block });
        return [...held].some(([contract, balance]) => balance > (voided.get(contract) ?? 0n));
      }),

    notErc721: (contracts) =>
      endpoints.converse(async (ask) => {
        const block = await newestBlock(ask);
        const answers = await ask(contracts.flatMap((contract) => interfaceRequests(contract, block)));
        const found = erc721In(contracts, answers);
        return contracts.filter((contract) => !found.includes(contract));
      }),
  };
};
