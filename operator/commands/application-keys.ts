import { setTimeout } from 'node:timers/promises';
import { Command } from 'commander';
import { addKey, getKeysOwner, removeKeys } from '../applications/application-keys.ts';
import { keyKeepingOf } from '../applications/key-keeping.ts';
import { ageText, duration } from '../arguments.ts';
import { requireConsent, yesOption } from '../confirm.ts';
import { operatorOf } from '../operator.ts';
import { withProgress } from '../progress.ts';

const waitFor = (milliseconds: number, what: string): Promise<void> =>
  withProgress(async (progress) => {
    const end = Date.now() + milliseconds;
    for (let left = milliseconds; left > 0; left = end - Date.now()) {
      progress.show(`${what} in ${ageText(left)}; Ctrl-C leaves both`);
      await setTimeout(Math.min(left, 1_000));
    }
  });

export const rotateKeyCommand = () =>
  new Command('rotate-key')
    .description('create a new API key, which is shown only once; the old keys work until they are removed')
    .argument('<id>', 'the application')
    .option('--grace <time>', 'wait so long (90s, 10m, 2h), then remove the old ones', duration)
    .action(async (id: string, { grace }: { readonly grace?: number }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const keeping = keyKeepingOf(target);
      const { application, keyId, keyValue } = await addKey(keeping, id);
      const old = application.apiKeyIds.filter((each) => each !== keyId);
      output.record({ id, api_key_id: keyId, api_key: keyValue, old_keys: old });
      output.remark('The key is not shown again. It may take a minute to work.');
      if (old.length === 0) return;
      if (grace === undefined) {
        output.remark(`When it is in use: applications remove-key ${id} ${old.join(' ')}`);
        return;
      }
      await waitFor(grace, `${old.join(', ')} will be removed`);
      await removeKeys(keeping, { id, keyIds: old });
      output.remark(`Removed ${old.join(', ')}.`);
    });

export const removeKeyCommand = () =>
  new Command('remove-key')
    .description('remove API keys of an application, immediately and for good')
    .argument('<id>', 'the application')
    .argument('<key-id...>', "the keys' ids, as `applications show` has them")
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
      output.record({ id, removed: keyIds, keys: application.apiKeyIds });
      if (application.apiKeyIds.length === 0) output.remark(`${id} has no API key left.`);
    });
