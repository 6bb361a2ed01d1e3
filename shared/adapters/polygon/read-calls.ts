/** Calls that read foreign contracts, whatever those are: what one of them does spoils no other. */
import type { Address, Hex } from '../../nft/hex.ts';
import type { RpcAnswer, RpcError, RpcRequest } from './json-rpc.ts';
import { hex, resultOf, toQuantity } from './wire.ts';

export interface ReadCall {
  /** @default the data is code, which is run and answers */
  readonly to?: Address;
  readonly data: Hex;
  /** Nodes have limits of their own, and some have none. */
  readonly gas: number;
}

export const readRequest = ({ to, data, gas }: ReadCall, block: number | 'latest'): RpcRequest => ({
  method: 'eth_call',
  params: [{ ...(to && { to }), data, gas: toQuantity(gas) }, block === 'latest' ? block : toQuantity(block)],
});

/** geth's code of a revert, and Nethermind's of any failure. */
const executionCodes = new Set([3, -32015]);

/** What nodes say of limits, of which some use codes that others use for executions. */
const limitCodes = new Set([429, -32005]);

/** geth and bor have the first words, anvil names what revm calls it ("EVM error OutOfGas", "InvalidFEOpcode"). */
const executionWords =
  /revert|out ?of ?gas|gas uint64 overflow|invalid ?(fe)?(opcode|jump)|opcode not|stack ?(over|under)flow|stack limit|write protection|return data out of bounds|max (initcode|code) size|execution aborted|(evm|vm execution) error|call ?depth/i;

const isExecutionError = ({ code, message }: RpcError): boolean =>
  executionCodes.has(code) || (!limitCodes.has(code) && executionWords.test(message));

/**
 * What the contract returned at `index`; `undefined` when its execution failed in any way.
 *
 * @throws EndpointError when the endpoint gave no answer to it.
 */
export const returnedAt = (answers: readonly RpcAnswer[], index: number): Hex | undefined => {
  const answer = answers[index];
  if (answer !== undefined && 'error' in answer && isExecutionError(answer.error)) return undefined;
  return resultOf(answers, index, hex);
};

/** A word of 32 bytes as a number; of any other length it says nothing. */
export const wordOf = (data: Hex | undefined): bigint | undefined =>
  data?.length === 66 ? BigInt(data) : undefined;
