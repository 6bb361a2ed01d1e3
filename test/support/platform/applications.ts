import type { Application } from '../../../shared/platform/applications/application.ts';

export const anApplication = (overrides: Partial<Application> = {}): Application => ({
  id: 'one',
  name: 'One',
  apiKeyIds: ['key-one'],
  clientIds: ['client-one'],
  audience: 'all',
  tier: 'standard',
  limits: { contractsPerDay: 10, mintsPerDay: 1_000 },
  ott: { rules: [] },
  version: 1,
  ...overrides,
});
