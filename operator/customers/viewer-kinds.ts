import type { Viewer } from '../../shared/ott/viewer.ts';

/** Kinds of viewers, as written on a command line. */
export const viewerKinds: Readonly<Record<string, Viewer>> = {
  anonymous: { kind: 'anonymous' },
  bought: { kind: 'logged-in', entitlement: 'granted' },
  'not-bought': { kind: 'logged-in', entitlement: 'no_purchase' },
  denied: { kind: 'logged-in', entitlement: 'denied' },
  unverified: { kind: 'unverified' },
  vip: { kind: 'vip' },
};
