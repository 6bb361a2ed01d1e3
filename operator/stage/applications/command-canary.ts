import { Command } from 'commander';
import { operatorOf } from '../../platform/target/operator.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { waitForKey } from '../../platform/target/wait-for.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { stageSecrets } from '../secrets/stage-secrets.ts';
import { apiAddresses } from '../smoke/addresses.ts';
import {
  addKey,
  createApplication,
  type HandedOver,
  type KeyKeeping,
  removeKeys,
} from './application-keys.ts';
import { keyKeepingOf } from './key-keeping.ts';

/** The application whose key the canary calls with. It owns nothing, and is notified of nothing. */
export const canaryApplication = 'marquee-canary';

const newKeyOf = async (keeping: KeyKeeping, tier: string): Promise<HandedOver> => {
  const found = await keeping.applications.find(canaryApplication);
  if (found === undefined) {
    const fields = {
      id: canaryApplication,
      name: 'The canary',
      tier,
      audience: 'linked',
      clientIds: [],
      limits: { contractsPerDay: 0, mintsPerDay: 0 },
      ott: {},
    } as const;
    return createApplication(keeping, { ...fields, clientIds: [] }, { again: true });
  }
  if (found.clientIds.length > 0) {
    throw new OperatorError({
      message: `The application ${canaryApplication} has clients, so it is not the canary's. Remove them with applications remove-client.`,
    });
  }
  return addKey(keeping, { id: canaryApplication, now: Date.now() });
};

/**
 * Gives the canary an API key of its own:
 *
 * ```
 * key     is created, with its application if that does not exist yet
 * secret  gets the key, once API Gateway knows the key
 * keys    of earlier runs are removed
 * ```
 *
 * Whatever was interrupted, running it again completes it.
 */
export const watchKeysCommand = () =>
  new Command('watch-keys')
    .description(
      `give the canary a new API key, with which it checks every five minutes that keys are accepted; creates the application ${canaryApplication}, which owns nothing`,
    )
    .option(
      '--tier <tier>',
      "the tier of the canary's key when the application is created (default: the first tier)",
    )
    .action(async (options: { readonly tier?: string }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const secrets = stageSecrets(target);
      secrets.requireSecret('canary');
      const keeping = keyKeepingOf(target);
      const [first = ''] = Object.keys(stageSettings(target.stage).tiers);
      const { application, keyId, keyValue } = await newKeyOf(keeping, options.tier ?? first);
      const { base } = apiAddresses(target, { isOwn: false });
      await waitForKey({ say: (remark) => output.remark(remark) }, { baseUrl: base, apiKey: keyValue });
      await secrets.store('canary', JSON.stringify({ api_key: keyValue }));
      const old = application.apiKeyIds.filter((each) => each !== keyId);
      if (old.length > 0) await removeKeys(keeping, { id: canaryApplication, keyIds: old });
      output.fields({ id: canaryApplication, tier: application.tier, api_key_id: keyId });
      output.remark('The canary calls with this key from its next run on.');
    });
