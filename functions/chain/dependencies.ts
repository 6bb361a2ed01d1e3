/** The chain's RPC endpoints, which functions of several areas ask. */
import {
  createRpcEndpoints,
  type RpcEndpointOptions,
  type RpcEndpoints,
} from '../../shared/chain/rpc/rpc-endpoints.ts';
import { rpcSecret } from '../../shared/chain/rpc/rpc-secret.ts';
import { secretsClient } from '../../shared/platform/aws/secrets-client.ts';
import { type Clock, systemClock } from '../../shared/platform/time/clock.ts';
import { breakerOf, type Parsed, positiveNumber, resourceName } from '../platform/dependencies.ts';

export const chainEnvironment = { CHAIN_ID: positiveNumber, CHAIN_SECRET_ARN: resourceName };

/**
 * The chain's RPC endpoints. A function adds only the kinds of queries that it needs, because each kind slows its cold
 * starts.
 */
export const rpcEndpoints = (
  environment: Parsed<typeof chainEnvironment>,
  {
    secrets = secretsClient(),
    clock = systemClock,
    ...options
  }: Omit<RpcEndpointOptions, 'chainId' | 'urls' | 'clock'> & {
    readonly secrets?: ReturnType<typeof secretsClient>;
    readonly clock?: Clock;
  } = {},
): RpcEndpoints =>
  createRpcEndpoints({
    chainId: environment.CHAIN_ID,
    urls: rpcSecret({ client: secrets, secretId: environment.CHAIN_SECRET_ARN, clock }),
    clock,
    ...options,
  });

export const rpcBreakers =
  (environment: Parameters<typeof breakerOf>[0]): NonNullable<RpcEndpointOptions['breakerOf']> =>
  ({ host, isHanging }) =>
    breakerOf(environment, { service: 'rpc', fields: { endpoint: host }, isHanging });
