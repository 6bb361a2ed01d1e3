import { Command, Option } from 'commander';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { contractApplicationsOf } from '../../ott/tickets/ticket-stores.ts';
import { eventsWithTickets, unlimitedTickets } from '../../ott/tickets/unlimited-tickets.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { applicationsOf, eventStoreOf, seenSoon } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { nameOfApplication, naturalNumber } from '../../platform/terminal/arguments.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { readText } from '../../platform/terminal/read-file.ts';
import { type ApplicationChange, changeApplication } from './change-application.ts';
import {
  type ApplicationConfiguration,
  configureApplication,
  readConfiguration,
} from './configure-application.ts';
import { keyKeepingOf } from './key-keeping.ts';
import { applicationRecord } from './shown.ts';

export const audienceOption = () =>
  new Option(
    '--audience <whom>',
    'the users whose changes the application is notified of: all users, or only its linked users',
  ).choices(['all', 'linked']);

const signingOf = ({ stage }: Target) => stageSettings(stage).ott.playback.signing;

/**
 * The configuration in the file.
 *
 * @throws OperatorError that names every mistake in the file.
 */
export const configurationIn = async (file: string, target: Target): Promise<ApplicationConfiguration> =>
  readConfiguration({ file, text: await readText(file), signing: signingOf(target) });

/** Warns of events with tickets that viewers can play on any number of screens, where the stage could limit that. */
export const warnOfUnlimited = async (target: Target, output: Pick<Output, 'remark'>): Promise<void> => {
  if (signingOf(target) !== 'cookies') return;
  const warnings = await unlimitedTickets(
    { applications: await applicationsOf(target).list(), contracts: contractApplicationsOf(target) },
    await eventsWithTickets(dynamoDbCatalogue(eventStoreOf(target))),
  );
  for (const warning of warnings) output.remark(warning);
};

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
