import type { StageInput } from './stage.ts';
import { staging } from './staging.ts';

/**
 * The stage that the nightly workflow deploys into an account of its own, goes through, and removes again. Its firewall
 * refuses soon, so that the workflow sees it refuse.
 */
export const nightly: StageInput = {
  ...staging,
  name: 'nightly',
  logRetentionDays: 1,
  firewall: { requestsPerAddress: 20_000, requestsPerKeyAndPath: 16_000, requestsPerAddressAndPath: 400 },
  // The address of this key has coins on Amoy, and keeps them from night to night.
  nft: { ...staging.nft, signerKeys: ['arn:aws:kms:eu-central-1:123456789012:key/mrk-example'] },
  // `release walk` creates it.
  ott: { ...staging.ott, defaultApplication: 'walk' },
};
