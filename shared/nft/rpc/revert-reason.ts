import { decodeErrorResult } from 'viem/utils';
import type { RpcError } from '../../chain/rpc/json-rpc.ts';
import { hex } from '../../chain/rpc/wire.ts';
import { collectionErrors } from '../collections/collection-errors.ts';

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
