/**
 * Read-only calls to contracts that Marquee may not know. A failing contract must not affect the results of the others.
 */
import type { Address, Hash, Hex } from '../hex.ts';
import type { RpcAnswer, RpcError, RpcRequest } from './json-rpc.ts';
import { hex, resultOf, toQuantity } from './wire.ts';

export interface ReadCall {
  /** The contract to call. If absent, the node runs `data` as code, and the code returns the result. */
  readonly to?: Address;
  readonly data: Hex;
  /** The call's gas limit. It is needed because some nodes have no limit of their own. */
  readonly gas: number;
}

/** A block by its number, or by its hash (EIP-1898). */
export type BlockParameter = number | 'latest' | { readonly blockHash: Hash };

/**
 * The sender of all read-only calls: an address without a known key. Without a sender, `tx.origin` would be 0, and some
 * contracts accept everything from 0, which they take for a simulation. Others do the same for well-known addresses
 * such as `0x…dEaD`.
 */
const reader: Address = '0x2b739e81e4f470ef32d806457c4da9f3323588ea';

export const readRequest = ({ to, data, gas }: ReadCall, block: BlockParameter): RpcRequest => ({
  method: 'eth_call',
  params: [
    { from: reader, ...(to && { to }), data, gas: toQuantity(gas) },
    typeof block === 'number' ? toQuantity(block) : block,
  ],
});

/** The error code of geth for a revert, and of Nethermind for any failed execution. */
const executionCodes = new Set([3, -32015]);

/**
 * Error codes of nodes for rate limits. Other nodes use some of these codes for failed executions. Because the meaning
 * is uncertain, an error with such a code does not count as a failed execution.
 */
const limitCodes = new Set([429, -32005]);

/**
 * The messages of failed executions: those of geth and bor, and those that anvil takes from revm ("EVM error OutOfGas",
 * "InvalidFEOpcode").
 */
const executionWords =
  /revert|out ?of ?gas|gas uint64 overflow|invalid ?(fe)?(opcode|jump)|opcode not|stack ?(over|under)flow|stack limit|write protection|return data out of bounds|max (initcode|code) size|execution aborted|(evm|vm execution) error|call ?depth/i;

export const isLimitError = ({ code }: RpcError): boolean => limitCodes.has(code);

export const isExecutionError = ({ code, message }: RpcError): boolean =>
  executionCodes.has(code) || (!limitCodes.has(code) && executionWords.test(message));

/**
 * The result at `index`, or `undefined` if the contract's execution failed.
 * @throws EndpointError if there is no usable answer.
 */
export const returnedAt = (answers: readonly RpcAnswer[], index: number): Hex | undefined => {
  const answer = answers[index];
  if (answer !== undefined && 'error' in answer && isExecutionError(answer.error)) return undefined;
  return resultOf(answers, index, hex);
};

/** A word of 32 bytes as a number. `undefined` for data of any other length. */
export const wordOf = (data: Hex | undefined): bigint | undefined =>
  data?.length === 66 ? BigInt(data) : undefined;
