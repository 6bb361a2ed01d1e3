import { Command, Option } from 'commander';
import { allAddresses, isSplit } from '../../../config/alarm-emails.ts';
import type { StageConfig } from '../../../config/stage.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import type { Target } from '../../platform/target/target.ts';
import { verboseOption } from '../../platform/terminal/arguments.ts';
import { OperatorError, UsageError } from '../../platform/terminal/operator-error.ts';
import { Shown } from '../../platform/terminal/output.ts';
import { withProgress } from '../../platform/terminal/progress.ts';
import { apiAddresses } from './addresses.ts';
import { checkAlarms } from './alarm-delivery.ts';
import type { CheckResult } from './check-result.ts';
import { checksOf } from './checks.ts';
import { cloudWatchAlarms } from './cloudwatch-alarms.ts';
import { checkForgedCountry } from './forged-country.ts';
import { checkNotifications } from './notifications.ts';
import { protectionOf } from './protection.ts';
import { runChecks } from './run-checks.ts';
import { checkStreams } from './streams.ts';

/** The environment variable with the key, for callers whose command lines are logged. */
export const apiKeyVariable = 'SMOKE_API_KEY';

interface SmokeOptions {
  readonly apiKey?: string;
  readonly alarms?: boolean;
  readonly notifications?: boolean;
  readonly endpoint?: string;
  readonly ownAddresses?: boolean;
  readonly verbose?: boolean;
}

/** A stage that keeps its data must notify somebody of alarms. For others, the stage's file decides. */
const notifiesOf = ({ retainData, alarmEmails }: StageConfig): boolean =>
  retainData || allAddresses(alarmEmails).length > 0;

const alarmsOf = (target: Target, settings: StageConfig): Promise<CheckResult[]> => {
  const { alarms, alarmEmails } = settings;
  if (!alarms) {
    throw new UsageError({
      message: `The stage ${target.stage} has no alarms (\`alarms: false\` in its file).`,
    });
  }
  return checkAlarms(
    { alarms: cloudWatchAlarms(target.aws) },
    {
      testAlarm: target.output('RehearsalAlarm'),
      testTopicArn: target.output('RehearsalTopicArn'),
      alarmTopicArn: target.output('AlarmTopicArn'),
      ticketTopicArn: isSplit(alarmEmails) ? target.output('TicketTopicArn') : undefined,
      notifies: notifiesOf(settings),
    },
  );
};

/** The API key and the endpoint for the test notification; `undefined` without `--notifications`. */
const notifiedBy = ({ apiKey, notifications = false, endpoint }: SmokeOptions) => {
  if (!notifications) {
    if (endpoint !== undefined)
      throw new UsageError({ message: '--endpoint can be given only with --notifications.' });
    return undefined;
  }
  if (apiKey === undefined) {
    throw new UsageError({
      message:
        '--notifications needs --api-key: the key of an application of your own that has a confirmed endpoint.',
    });
  }
  return { apiKey, endpointId: endpoint };
};

export const smoke = (): Command =>
  new Command('smoke')
    .description(
      'check that a stage answers correctly: routes, keys, CORS, 404s, notifications, streams, protection; changes nothing, except that --notifications sends a message',
    )
    .addOption(
      new Option(
        '--api-key <key>',
        "an application's key, with which smoke also checks that keys are accepted",
      ).env(apiKeyVariable),
    )
    .option(
      '--alarms',
      'set off the test alarm and check that its notification is delivered; no person receives it',
    )
    .option(
      '--notifications',
      'send a test notification to an endpoint of the application that --api-key belongs to, and wait until its delivery is recorded; the endpoint must be your own',
    )
    .option(
      '--endpoint <id>',
      'with --notifications: the endpoint to send to, if the application has several',
    )
    .option(
      '--own-addresses',
      "call API Gateway's own addresses, which answer before the stage's domains exist",
    )
    .option(...verboseOption)
    .action(async (options: SmokeOptions, command: Command) => {
      const { apiKey, alarms = false, ownAddresses = false, verbose = false } = options;
      const notified = notifiedBy(options);
      const { target, output, isJson } = await operatorOf(command);
      const settings = stageSettings(target.stage);
      const apis = apiAddresses(target, { isOwn: ownAddresses });
      const checks = checksOf({ baseUrl: apis.base, b2bUrl: apis.b2b, profileUrl: apis.profile, apiKey });
      const answers = await withProgress((progress) => {
        let done = 0;
        return runChecks(checks, {
          onResult: ({ check }) => {
            done += 1;
            progress.show(`${done} of ${checks.length}: ${check.method} ${check.url}`);
          },
        });
      });
      const results: CheckResult[] = [
        ...answers,
        ...(await checkStreams({
          baseUrl: apis.base,
          signing: settings.ott.playback.signing,
        })),
        ...(settings.ott.behindDistribution && !ownAddresses
          ? await checkForgedCountry({ baseUrl: apis.base, ownUrl: target.output('OwnBaseUrl') })
          : []),
        protectionOf(target, settings),
        ...(alarms ? await alarmsOf(target, settings) : []),
        ...(notified === undefined ? [] : [await checkNotifications({}, { b2bUrl: apis.b2b, ...notified })]),
      ];
      const isWhole = isJson || verbose;
      const addresses = Object.entries(apis).map(([api, address]) => [api, `${address}/`] as const);
      /** Replaces the address of an API with its name. */
      const shortUrl = (url: string): string => {
        const [api, address = ''] = addresses.find(([, each]) => url.startsWith(each)) ?? [];
        return api === undefined ? url : `${api}/${url.slice(address.length)}`;
      };
      output[isWhole ? 'rows' : 'lines'](
        ['ok', 'ms', 'check', 'method', 'url', 'fault'],
        results
          .filter(({ faults }) => isWhole || faults.length > 0)
          .map(({ check, milliseconds, faults }) => ({
            ok: faults.length === 0,
            check: check.name,
            method: check.method,
            url: new Shown(check.url, { text: shortUrl(check.url) }),
            ms: milliseconds,
            fault: faults.length === 0 ? undefined : faults.join('; '),
          })),
      );
      const wrong = results.filter(({ faults }) => faults.length > 0);
      if (alarms && !notifiesOf(settings)) {
        output.remark(`Nobody is notified of alarms: \`alarmEmails\` in config/${target.stage}.ts is empty.`);
      }
      output.remark(`${results.length - wrong.length} of ${results.length} checks passed.`);
      if (wrong.length > 0) {
        throw new OperatorError({ message: `${wrong.length} of ${results.length} checks failed.` });
      }
    });
