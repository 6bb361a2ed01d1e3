import { Command, Option } from 'commander';
import { withoutCredentials } from '../../../shared/notifications/endpoints/endpoint.ts';
import { ottConfigurationSchema } from '../../../shared/ott/configuration.ts';
import { type Application, applicationSchema } from '../../../shared/platform/applications/application.ts';
import { parseIncoming } from '../../../shared/platform/parsing/incoming.ts';
import { sentencesOf } from '../../../shared/platform/parsing/mistake-sentences.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { removeEndpoints } from '../../notifications/subscriptions/remove-subscription.ts';
import { subscriptionsOf } from '../../notifications/subscriptions/sns-subscriptions.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { applicationsOf, endpointsOf, getApplication } from '../../platform/target/stores.ts';
import { nameOfApplication, naturalNumber, repeated } from '../../platform/terminal/arguments.ts';
import { requireConsent, yesOption } from '../../platform/terminal/confirm.ts';
import { UsageError } from '../../platform/terminal/operator-error.ts';
import { quoted } from '../../platform/terminal/quoted.ts';
import { createApplication, removeApplication } from './application-keys.ts';
import { audienceOption, configurationIn, warnOfUnlimited } from './command-settings.ts';
import { type ApplicationConfiguration, changedOtt } from './configure-application.ts';
import { keyKeepingOf } from './key-keeping.ts';
import { applicationRecord, applicationRow } from './shown.ts';

export const listCommand = () =>
  new Command('list').description('show all applications').action(async (_: unknown, command: Command) => {
    const { target, output } = await operatorOf(command);
    const found = await applicationsOf(target).list();
    output.rows(
      ['id', 'name', 'kind', 'tier', 'audience', 'contracts_per_day', 'mints_per_day', 'keys', 'clients'],
      found.map(applicationRow),
      { dispensable: ['kind', 'audience', 'mints_per_day', 'contracts_per_day'] },
    );
  });

export const showCommand = () =>
  new Command('show')
    .description("show one application with its keys' ids, rules and countries")
    .argument('<id>', 'the application')
    .action(async (id: string, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const { applications, keys } = keyKeepingOf(target);
      output.fields(await applicationRecord(await getApplication(applications, id), keys));
    });

interface CreateOptions {
  readonly name?: string;
  readonly tier: string;
  readonly audience: 'all' | 'linked';
  readonly client?: string[];
  readonly contractsPerDay: number;
  readonly mintsPerDay: number;
  readonly file?: string;
  readonly editor?: boolean;
  readonly again?: boolean;
}

/** The settings of a customer's application, as an editor has them: none. */
export const editorFields: Pick<Application, 'kind' | 'audience' | 'clientIds' | 'limits' | 'ott'> = {
  kind: 'editor',
  audience: 'linked',
  clientIds: [],
  limits: { contractsPerDay: 0, mintsPerDay: 0 },
  ott: { rules: [] },
};

/** Reports mistakes before anything is created. */
const newFields = (
  id: string,
  { name = id, tier, audience, client = [], contractsPerDay, mintsPerDay, editor }: CreateOptions,
  configuration: ApplicationConfiguration,
) => {
  const limits = { contractsPerDay, mintsPerDay };
  const parsed = parseIncoming(applicationSchema.omit({ version: true, apiKeyIds: true }), {
    id,
    name,
    tier,
    audience,
    clientIds: client,
    limits,
    ott: changedOtt({ rules: [] }, configuration.ott),
    wallets: configuration.wallets ?? undefined,
    ...(editor && editorFields),
  });
  if (parsed.success) return parsed.data;
  throw new UsageError({ message: sentencesOf(parsed.mistakes).join('\n') });
};

export const createCommand = () =>
  new Command('create')
    .description('add a customer or an editor with an API key, which is shown only once')
    .argument('<id>', 'lower-case letters, digits and hyphens')
    .option('--name <name>', 'a name for people to read; without it, the id', nameOfApplication)
    .option('--tier <tier>', 'the stage’s tier whose limits apply to the API keys', 'standard')
    .addOption(audienceOption().default('all'))
    .option('--client <id>', 'an OIDC client of the application; may be repeated', repeated)
    .option(
      '--contracts-per-day <number>',
      'contracts that the application may deploy a day',
      naturalNumber,
      10,
    )
    .option('--mints-per-day <number>', 'tokens that the application may mint a day', naturalNumber, 1_000)
    .option(
      '--file <file>',
      'a file with rules and countries for OTT events, as for `applications configure`',
    )
    .addOption(
      new Option(
        '--editor',
        'an editor: its key may read and change the catalogue of events over HTTP, and nothing else',
      ).conflicts(['audience', 'client', 'contractsPerDay', 'mintsPerDay', 'file']),
    )
    .option(
      '--again',
      'the customer of the removed application with this id comes back, and gets what it had stored',
    )
    .action(async (id: string, { again, ...options }: CreateOptions, command: Command) => {
      const { target, output } = await operatorOf(command);
      const { file } = options;
      const configuration = file === undefined ? {} : await configurationIn(file, target);
      const fields = newFields(id, options, configuration);
      const { application, keyId, keyValue } = await createApplication(keyKeepingOf(target), fields, {
        again,
      });
      output.fields({ id: application.id, tier: application.tier, api_key_id: keyId, api_key: keyValue });
      output.remark('The key is not shown again. It may take a minute until the key works.');
      if (application.kind === 'editor') return;
      if (ottConfigurationSchema.parse(application.ott).rules.length === 0) {
        const words = `applications configure ${id} --file rules.json`;
        output.remark(
          `The application's viewers see no OTT events until it has rules:\n${target.command(words)}`,
        );
      } else await warnOfUnlimited(target, output);
    });

export const removeCommand = () =>
  new Command('remove')
    .description('remove an application, its keys and its subscriptions; what is on the chain stays')
    .argument('<id>', 'the application')
    .option(...yesOption)
    .action(async (id: string, { yes }: { readonly yes?: boolean }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const keeping = keyKeepingOf(target);
      const { name, apiKeyIds } = await getApplication(keeping.applications, id);
      const subscriptions = subscriptionsOf(target);
      const endpoints = (await subscriptions.list()).filter(({ applicationId }) => applicationId === id);
      await requireConsent({
        question: `Remove application ${id} (${name}) with its API keys (${apiKeyIds.length}) and its subscriptions (${endpoints.length})?`,
        yes,
      });
      const pending = await removeEndpoints(
        { subscriptions, endpoints: endpointsOf(target), clock: systemClock },
        id,
      );
      await removeApplication(keeping, id);
      output.fields({ removed: id, keys: apiKeyIds.length, subscriptions: endpoints.length });
      for (const address of pending) {
        output.remark(
          `SNS deletes the pending subscription of ${withoutCredentials(address)} within two days. If it is confirmed before, end it: ${target.command(`subscriptions remove ${quoted(address)}`)}`,
        );
      }
    });
