import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Argument, Command, Option } from 'commander';
import { type OriginVerify, originVerifySchema } from '../../../shared/platform/aws/own-secrets.ts';
import { parseSecret } from '../../../shared/platform/aws/secret-reader.ts';
import { originVerifyHeader } from '../../../shared/platform/origin-verify.ts';
import { isUnsetSecret, type SecretName, secretNames } from '../../../shared/platform/stage-secrets.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { outagesOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { readText } from '../../platform/terminal/read-file.ts';
import { outsideServices } from '../metrics/stage-metrics.ts';
import { judgeSecret } from './judge-secret.ts';
import { originRule } from './origin-rule.ts';
import { stageSecrets, triedStage } from './stage-secrets.ts';

const list = () =>
  new Command('list')
    .description('try each secret of the stage, and show which are empty, wrong or good; no value is shown')
    .action(async (_: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const secrets = stageSecrets(target);
      const stage = triedStage(target);
      const outages = outagesOf(target);
      const rows = await Promise.all(
        secrets.names.map(async (secret) => {
          const text = await secrets.read(secret);
          if (isUnsetSecret(text)) return { secret, state: 'empty' };
          const at = systemClock();
          const faults = [
            ...(await judgeSecret(secret, text, { stage, isTried: true })),
            ...(secret === 'origin-verify' ? await faultsOfRule(target, text) : []),
          ];
          // `status` then knows of the outcome, too. It ends an outage, and changes nothing if there was none.
          if (faults.length === 0 && secret in outsideServices)
            await outages.end({ service: secret, at }).catch(() => {});
          return faults.length === 0
            ? { secret, state: 'good' }
            : { secret, state: 'wrong', fault: faults.join(' ') };
        }),
      );
      output.rows(['secret', 'state', 'fault'], rows);
    });

/** A crash between the two writes, or a deployment of an older value, leaves the firewall with other values. */
const faultsOfRule = async (target: Target, text: string): Promise<readonly string[]> => {
  const parsed = parseSecret(text, originVerifySchema);
  if ('wrong' in parsed || (await originRule(target).has(parsed.value))) return [];
  return ['The firewall compares calls with other values. Run secrets rotate origin-verify again.'];
};

/** A rotation that has begun keeps its next value; otherwise, the rotation begins with `fresh`. */
const begun = (stored: OriginVerify | undefined, fresh: string): OriginVerify => {
  if (stored === undefined) return { current: fresh, next: fresh };
  return stored.current === stored.next ? { current: stored.current, next: fresh } : stored;
};

const stateOf = ({ current, next }: OriginVerify): string =>
  current === next ? 'one value is valid' : 'two values are valid';

interface RotateOptions {
  readonly file?: string;
  readonly finish?: true;
}

const rotate = () =>
  new Command('rotate')
    .description(
      'replace the value that the distribution sends as x-origin-verify: first with --file, which adds a new value; then with --finish, once the distribution sends the new value everywhere',
    )
    .addArgument(new Argument('<secret>', 'the secret').choices(['origin-verify'] as const))
    .addOption(
      new Option('--file <file>', 'a new file for the new value, which only you can read').conflicts(
        'finish',
      ),
    )
    .option('--finish', 'the new value alone is valid from now on')
    .action(async (name: 'origin-verify', { file, finish }: RotateOptions, command: Command) => {
      const { target, output } = await operatorOf(command);
      const secrets = stageSecrets(target);
      secrets.requireSecret(name);
      const text = await secrets.read(name);
      const stored = isUnsetSecret(text) ? undefined : originVerifySchema.parse(JSON.parse(text));
      if (finish !== undefined) {
        if (stored === undefined)
          throw new OperatorError({ message: 'The secret has no value yet. Use --file.' });
        const rotation = { current: stored.next, next: stored.next };
        await secrets.store(name, JSON.stringify(rotation));
        output.fields({ secret: name, state: stateOf(rotation) });
        return;
      }
      if (file === undefined) throw new OperatorError({ message: 'Use --file, and later --finish.' });
      const rotation = begun(stored, randomBytes(32).toString('hex'));
      // The file is written first: after a crash between the two writes, the operator still has the value that will be
      // valid.
      writeFileSync(file, rotation.next, { flag: 'wx', mode: 0o600 });
      await secrets.store(name, JSON.stringify(rotation));
      output.fields({ secret: name, state: stateOf(rotation) });
      output.remark(
        `Let the distribution send the value in ${file} as ${originVerifyHeader}. The firewall knows the value everywhere within a few minutes.`,
      );
    });

interface SetOptions {
  readonly file: string;
  readonly try: boolean;
}

const set = () =>
  new Command('set')
    .description(
      "store a secret's value from a file, after it was judged and tried; a value that is wrong or does not work is not stored",
    )
    .addArgument(new Argument('<secret>', 'the secret').choices(secretNames))
    .requiredOption('--file <file>', 'the file with the value')
    .option('--no-try', 'judge only the shape, if the service cannot be called from this machine')
    .action(async (name: SecretName, { file, try: isTried }: SetOptions, command: Command) => {
      const { target, output } = await operatorOf(command);
      const secrets = stageSecrets(target);
      secrets.requireSecret(name);
      const text = (await readText(file)).trim();
      const faults = await judgeSecret(name, text, { stage: triedStage(target), isTried });
      if (faults.length > 0) {
        throw new OperatorError({ message: [...faults, 'Nothing was stored.'].join('\n') });
      }
      await secrets.store(name, text);
      output.fields({ secret: name, state: isTried ? 'good' : 'stored, not tried' });
      output.remark('Functions use the new value within five minutes.');
    });

export const secrets = (): Command =>
  new Command('secrets')
    .description("the credentials of other services, and the stage's own secret values")
    .addCommand(list())
    .addCommand(set())
    .addCommand(rotate());
