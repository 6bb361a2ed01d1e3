import type { Viewer } from '../../../shared/ott/viewers/viewer.ts';

/** The values of `events why --viewer`, and the viewer that each stands for. */
export const viewerKinds: Readonly<Record<string, Viewer>> = {
  anonymous: { kind: 'anonymous' },
  bought: { kind: 'logged-in', entitlement: 'granted' },
  'not-bought': { kind: 'logged-in', entitlement: 'no_purchase' },
  denied: { kind: 'logged-in', entitlement: 'denied' },
  unverified: { kind: 'unverified' },
  vip: { kind: 'vip' },
};
