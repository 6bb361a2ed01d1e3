import { ownersOfBytecode } from '../../../contracts/artifacts/owners-of-bytecode.ts';
import type { Address, Hex } from '../../chain/hex.ts';
import { atOneBlock, type ReadAtBlock } from '../../chain/rpc/at-one-block.ts';
import { EndpointError, type RpcAnswer } from '../../chain/rpc/json-rpc.ts';
import { type BlockParameter, readRequest, returnedAt, wordOf } from '../../chain/rpc/read-calls.ts';
import type { RpcEndpoints } from '../../chain/rpc/rpc-endpoints.ts';
import { newCache } from '../../platform/cache.ts';
import type { HoldingQuestion, TicketHoldings } from '../ports/ticket-holdings.ts';

/** A read of a plain ERC-721 uses 3,000 gas. Behind proxies and registries it uses more. */
const readGas = 500_000;
/** ERC-165 allows a contract 30,000 gas for this call. A proxy needs somewhat more. */
const interfaceGas = 100_000;
/** How many tokens one call reads, and its gas: 100,000 for each token. */
const ownersAtOnce = 100;
const ownersGas = 10_000_000;

const balanceOf = '0x70a08231';
const supportsInterface = '0x01ffc9a7';

/** By ERC-165, an ERC-721 contract says that it supports ERC-165 and ERC-721, but not the invalid id `ffffffff`. */
const interfaces = [
  { id: '01ffc9a7', isSupported: true },
  { id: 'ffffffff', isSupported: false },
  { id: '80ac58cd', isSupported: true },
];

const word = (digits: string): string => digits.padStart(64, '0');
const balanceRequest = (contract: Address, wallet: Address, block: BlockParameter) =>
  readRequest({ to: contract, data: `${balanceOf}${word(wallet.slice(2))}`, gas: readGas }, block);
const interfaceRequests = (contract: Address, block: BlockParameter) =>
  interfaces.map(({ id }) => {
    const data: Hex = `${supportsInterface}${id.padEnd(64, '0')}`;
    return readRequest({ to: contract, data, gas: interfaceGas }, block);
  });

interface TokensOf {
  readonly contract: Address;
  readonly tokenIds: readonly string[];
}

const code: Hex = ownersOfBytecode;

const ownersRequest = ({ contract, tokenIds }: TokensOf, block: BlockParameter) => {
  const ids = tokenIds.map((tokenId) => word(BigInt(tokenId).toString(16)));
  const data: Hex = `${code}${word(contract.slice(2))}${ids.join('')}`;
  return readRequest({ data, gas: ownersGas }, block);
};

/**
 * The owner of each token, as a number; 0 if the contract names none.
 * @throws EndpointError if the endpoint returned another number of owners. The code always returns one for each token.
 */
const ownersIn = (returned: Hex | undefined, { tokenIds }: TokensOf): readonly bigint[] => {
  if (returned === undefined) return tokenIds.map(() => 0n);
  if (returned.length !== 2 + 64 * tokenIds.length) throw new EndpointError({ message: 'malformed answer' });
  const words = returned.slice(2).match(/.{64}/g) ?? [];
  return words.map((owner) => BigInt(`0x${owner}`));
};

/**
 * How long a contract is remembered as an ERC-721. It can stop being one only if the contract behind a proxy is
 * replaced.
 */
const interfaceMilliseconds = 600_000;

/** Reads whether wallets hold tokens of any ERC-721 contracts. All answers are from one block of one endpoint. */
export const chainTicketHoldings = (endpoints: Pick<RpcEndpoints, 'converse'>): TicketHoldings => {
  const known = newCache<true>({ capacity: 1_000, lifetimeMilliseconds: interfaceMilliseconds });

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

  const balances = async (read: ReadAtBlock, { wallets, contracts }: HoldingQuestion) => {
    if (wallets.length === 0) return new Map<Address, bigint>();
    const unknown = contracts.filter((contract) => known.get(contract) === undefined);
    const pairs = contracts.flatMap((contract) => wallets.map((wallet) => ({ contract, wallet })));
    const answers = await read((block) => [
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

  /** The owners of many tokens, by contract. */
  const ownersOf = async (read: ReadAtBlock, tokens: readonly TokensOf[]) => {
    const parts = tokens.flatMap(({ contract, tokenIds }) =>
      Array.from({ length: Math.ceil(tokenIds.length / ownersAtOnce) }, (_, index) => ({
        contract,
        tokenIds: tokenIds.slice(index * ownersAtOnce, (index + 1) * ownersAtOnce),
      })),
    );
    if (parts.length === 0) return [];
    const answers = await read((block) => parts.map((part) => ownersRequest(part, block)));
    return parts.map((part, index) => ({ ...part, owners: ownersIn(returnedAt(answers, index), part) }));
  };

  const voidBalances = async (
    read: ReadAtBlock,
    { wallets, voidTokens }: HoldingQuestion,
    contracts: readonly Address[],
  ) => {
    const ours = new Set(wallets.map(BigInt));
    const suspects = contracts.map((contract) => ({ contract, tokenIds: voidTokens.get(contract) ?? [] }));
    const taken = new Map<Address, bigint>();
    for (const { contract, owners } of await ownersOf(read, suspects)) {
      const count = owners.filter((owner) => ours.has(owner)).length;
      taken.set(contract, (taken.get(contract) ?? 0n) + BigInt(count));
    }
    return taken;
  };

  const isUnminted = async (read: ReadAtBlock, { claimedTokens }: HoldingQuestion): Promise<boolean> => {
    const claimed = [...claimedTokens].map(([contract, tokenIds]) => ({ contract, tokenIds }));
    const parts = await ownersOf(read, claimed);
    return parts.some(({ owners }) => owners.some((owner) => owner === 0n));
  };

  return {
    isHeld: (question) =>
      endpoints.converse((ask) =>
        atOneBlock(ask, async (read) => {
          if (await isUnminted(read, question)) return true;
          const held = await balances(read, question);
          const voided = await voidBalances(read, question, [...held.keys()]);
          return [...held].some(([contract, balance]) => balance > (voided.get(contract) ?? 0n));
        }),
      ),

    notErc721: async (contracts) => {
      const unknown = contracts.filter((contract) => known.get(contract) === undefined);
      if (unknown.length === 0) return [];
      return endpoints.converse((ask) =>
        atOneBlock(ask, async (read) => {
          const answers = await read((block) =>
            unknown.flatMap((contract) => interfaceRequests(contract, block)),
          );
          const found = erc721In(unknown, answers);
          return unknown.filter((contract) => !found.includes(contract));
        }),
      );
    },

    withoutOwner: (tokens) =>
      endpoints.converse((ask) =>
        atOneBlock(ask, async (read) => {
          const parts = await ownersOf(
            read,
            [...tokens].map(([contract, tokenIds]) => ({ contract, tokenIds })),
          );
          const found = new Map<Address, readonly string[]>();
          for (const { contract, tokenIds, owners } of parts) {
            const without = tokenIds.filter((_, index) => owners[index] === 0n);
            if (without.length > 0) found.set(contract, [...(found.get(contract) ?? []), ...without]);
          }
          return found;
        }),
      ),
  };
};
