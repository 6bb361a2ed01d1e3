import type { Clock } from 'template-runtime/clock.ts';
import type { Ports } from '../ports.ts';
import { type SigningKey, startDistribution } from './distribution.ts';
import { startEntitlement } from './entitlement.ts';
import { startGeolocation } from './geolocation.ts';
import { startOidc } from './oidc.ts';

export interface FakeUrls {
  readonly oidcIssuer: string;
  readonly entitlementUrl: string;
  readonly geolocationUrl: string;
  readonly distributionUrl: string;
  /** The key whose signatures the distribution accepts. */
  readonly signingKey: SigningKey;
}

export const startFakes = async (
  {
    ports,
    stateDirectory,
    pageOrigins,
    clock,
  }: {
    readonly ports: Ports;
    readonly stateDirectory: string;
    /** The origins of the pages on which viewers sign in and play streams. */
    readonly pageOrigins: readonly string[];
    readonly clock: Clock;
  },
  stack: AsyncDisposableStack,
): Promise<FakeUrls> => {
  const start = [
    startOidc({ port: ports.oidc, stateDirectory, pageOrigins, clock }),
    startEntitlement({ port: ports.entitlement, stateDirectory }),
    startGeolocation({ port: ports.geolocation, stateDirectory }),
    startDistribution({ port: ports.distribution, stateDirectory, pageOrigins }),
  ] as const;
  // If one fake fails to start, the others are stopped when `stack` is disposed of.
  for (const each of await Promise.allSettled(start)) {
    if (each.status === 'fulfilled') stack.defer(() => each.value.stop());
  }
  const [oidc, entitlement, geolocation, distribution] = await Promise.all(start);
  return {
    oidcIssuer: oidc.url,
    entitlementUrl: entitlement.url,
    geolocationUrl: geolocation.url,
    distributionUrl: distribution.url,
    signingKey: distribution.signingKey,
  };
};
