import { Command } from 'commander';
import { operatorOf } from '../../platform/target/operator.ts';
import { duration } from '../../platform/terminal/arguments.ts';
import { requireConsent, yesOption } from '../../platform/terminal/confirm.ts';
import { addKey, getKeysOwner, removeKeys } from './application-keys.ts';
import { keyKeepingOf } from './key-keeping.ts';

export const rotateKeyCommand = () =>
  new Command('rotate-key')
    .description('create a new API key, which is shown only once; the old keys work until they are removed')
    .argument('<id>', 'the application')
    .option('--grace <time>', 'the old keys expire after this time (90s, 10m, 24h)', duration)
    .action(async (id: string, { grace }: { readonly grace?: number }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const keeping = keyKeepingOf(target);
      const now = Date.now();
      const end = grace === undefined ? undefined : now + grace;
      const { application, keyId, keyValue } = await addKey(keeping, { id, end, now });
      const old = application.apiKeyIds.filter((each) => each !== keyId);
      output.fields({ id, api_key_id: keyId, api_key: keyValue, old_keys: old });
      output.remark('The key is not shown again. It may take a minute until the key works.');
      if (old.length === 0) return;
      if (grace === undefined) {
        const words = `applications remove-key ${id} ${old.join(' ')} --yes`;
        output.remark(`Once the customer has switched to the new key, run:\n${target.command(words)}`);
        return;
      }
      for (const each of old) {
        output.remark(
          `${each} expires at ${application.keyEnds?.[each]}: calls with it are answered with 403 from then on.`,
        );
      }
    });

export const removeKeyCommand = () =>
  new Command('remove-key')
    .description('remove API keys of an application, immediately and for good')
    .argument('<id>', 'the application')
    .argument('<key-id...>', "the keys' ids, as `applications show` prints them")
    .option(...yesOption)
    .action(async (id: string, keyIds: string[], { yes }: { readonly yes?: boolean }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const keeping = keyKeepingOf(target);
      await getKeysOwner(keeping, { id, keyIds });
      const what = keyIds.length === 1 ? 'key' : 'keys';
      await requireConsent({
        question: `Remove ${what} ${keyIds.join(', ')} of ${id}? Calls with ${keyIds.length === 1 ? 'it' : 'them'} are refused from then on.`,
        yes,
      });
      const application = await removeKeys(keeping, { id, keyIds });
      output.fields({ id, removed: keyIds, keys: application.apiKeyIds });
      if (application.apiKeyIds.length === 0) output.remark(`${id} has no API key left.`);
    });
