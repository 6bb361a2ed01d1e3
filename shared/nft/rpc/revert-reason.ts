import { decodeErrorResult } from 'viem/utils';
import type { RpcError } from '../../chain/rpc/json-rpc.ts';
import { hex } from '../../chain/rpc/wire.ts';

export const collectionErrors = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'code', type: 'uint256' }] },
  { type: 'error', name: 'ERC721InvalidSender', inputs: [{ name: 'sender', type: 'address' }] },
  { type: 'error', name: 'ERC721InvalidReceiver', inputs: [{ name: 'receiver', type: 'address' }] },
  { type: 'error', name: 'ERC721NonexistentToken', inputs: [{ name: 'tokenId', type: 'uint256' }] },
  { type: 'error', name: 'OwnableUnauthorizedAccount', inputs: [{ name: 'account', type: 'address' }] },
  { type: 'error', name: 'OwnableInvalidOwner', inputs: [{ name: 'owner', type: 'address' }] },
  { type: 'error', name: 'SupplyExhausted', inputs: [] },
  { type: 'error', name: 'NotRevocable', inputs: [] },
] as const;

/** The error code of geth and anvil for an execution that reverted. */
const revertedCode = 3;

/** `undefined` if the error is not a revert. */
export function revertReasonOf(error: RpcError): string | undefined {
  const isRevert =
    error.code === revertedCode || /^execution reverted|^vm execution error/i.test(error.message);
  if (!isRevert) return undefined;
  const data = hex.safeParse(error.data);
  return (data.success ? decoded(data.data) : undefined) ?? error.message;
}

function decoded(data: `0x${string}`): string | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: collectionErrors, data });
    if (errorName === 'Error') return String(args[0]);
    return `${errorName}(${args.map(String).join(', ')})`;
  } catch {
    // For an error that the collection does not declare, the endpoint's own message is used.
    return undefined;
  }
}
