import { Command, Option } from 'commander';
import { ottConfigurationSchema } from '../../../shared/ott/configuration.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { type Application, applicationSchema } from '../../../shared/platform/applications/application.ts';
import { parseIncoming } from '../../../shared/platform/incoming.ts';
import { sentencesOf } from '../../../shared/platform/mistake-sentences.ts';
import { contractApplicationsOf } from '../../ott/tickets/ticket-stores.ts';
import { eventsWithTickets, unlimitedTickets } from '../../ott/tickets/unlimited-tickets.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { applicationsOf, eventStoreOf, seenSoon } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { nameOfApplication, naturalNumber, repeated } from '../../platform/terminal/arguments.ts';
import { UsageError } from '../../platform/terminal/operator-error.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { readText } from '../../platform/terminal/read-file.ts';
import { createApplication } from './application-keys.ts';
import { type ApplicationChange, changeApplication } from './change-application.ts';
import {
  type ApplicationConfiguration,
  changedOtt,
  configureApplication,
  readConfiguration,
} from './configure-application.ts';
import { keyKeepingOf } from './key-keeping.ts';
import { applicationRecord } from './shown.ts';

const audienceOption = () =>
  new Option(
    '--audience <whom>',
    'the users whose changes the application is notified of: all users, or only its linked users',
  ).choices(['all', 'linked']);

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

const signingOf = ({ stage }: Target) => stageSettings(stage).ott.playback.signing;

/**
 * The configuration in the file.
 *
 * @throws OperatorError that names every mistake in the file.
 */
const configurationIn = async (file: string, target: Target): Promise<ApplicationConfiguration> =>
  readConfiguration({ file, text: await readText(file), signing: signingOf(target) });

/** Warns of events with tickets that viewers can play on any number of screens, where the stage could limit that. */
const warnOfUnlimited = async (target: Target, output: Pick<Output, 'remark'>): Promise<void> => {
  if (signingOf(target) !== 'cookies') return;
  const warnings = await unlimitedTickets(
    { applications: await applicationsOf(target).list(), contracts: contractApplicationsOf(target) },
    await eventsWithTickets(dynamoDbCatalogue(eventStoreOf(target))),
  );
  for (const warning of warnings) output.remark(warning);
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

export const setCommand = () =>
  new Command('set')
    .description("change an application's name, tier, audience or daily limits")
    .argument('<id>', 'the application')
    .option('--name <name>', 'a name for people to read', nameOfApplication)
    .option('--tier <tier>', 'move its keys to another usage plan; calls with them are refused for a moment')
    .addOption(audienceOption())
    .option('--contracts-per-day <number>', 'contracts that the application may deploy a day', naturalNumber)
    .option('--mints-per-day <number>', 'tokens that the application may mint a day', naturalNumber)
    .action(async (id: string, change: ApplicationChange, command: Command) => {
      const { target, output } = await operatorOf(command);
      const keeping = keyKeepingOf(target);
      const application = await changeApplication(keeping, { id, change });
      const record = await applicationRecord(application, keeping.keys);
      output.fields(record);
      output.remark(seenSoon);
      const gone = record.keys.filter(({ state }) => state === 'gone').map((key) => key.id);
      if (gone.length > 0) {
        const words = `applications remove-key ${id} ${gone.join(' ')} --yes`;
        output.remark(
          `API Gateway no longer has ${gone.join(', ')}. To remove it from ${id}, run:\n${target.command(words)}`,
        );
      }
    });

export const configureCommand = () =>
  new Command('configure')
    .description(
      "change an application's rules and countries for OTT events, or its pages that link wallets; what the file leaves out stays",
    )
    .argument('<id>', 'the application')
    .requiredOption('--file <file>', '{"ott": {"rules": […], "geoblocking": {…}, "streams_at_once": 2}}')
    .action(async (id: string, { file }: { readonly file: string }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const configuration = await configurationIn(file, target);
      const { application, isChanged } = await configureApplication({
        id,
        configuration,
        applications: applicationsOf(target),
      });
      output.fields({ application: application.id, ott: application.ott, wallets: application.wallets });
      output.remark(isChanged ? seenSoon : 'Nothing changed.');
      if (isChanged && configuration.ott !== undefined) await warnOfUnlimited(target, output);
    });
