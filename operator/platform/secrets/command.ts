import { Argument, Command } from 'commander';
import { isUnsetSecret, type SecretName, secretNames } from '../../../shared/platform/stage-secrets.ts';
import { operatorOf } from '../stage/operator.ts';
import { OperatorError } from '../terminal/operator-error.ts';
import { readText } from '../terminal/read-file.ts';
import { judgeSecret } from './judge-secret.ts';
import { stageSecrets, triedStage } from './stage-secrets.ts';

const list = () =>
  new Command('list')
    .description('try each secret of the stage, and show which are empty, wrong or good; no value is shown')
    .action(async (_: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const secrets = stageSecrets(target);
      const stage = triedStage(target);
      const rows = await Promise.all(
        secrets.names.map(async (secret) => {
          const text = await secrets.read(secret);
          if (isUnsetSecret(text)) return { secret, state: 'empty' };
          const faults = await judgeSecret(secret, text, { stage, isTried: true });
          return faults.length === 0
            ? { secret, state: 'good' }
            : { secret, state: 'wrong', fault: faults.join(' ') };
        }),
      );
      output.rows(['secret', 'state', 'fault'], rows);
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
      output.record({ secret: name, state: isTried ? 'good' : 'stored, not tried' });
      output.remark('Functions use the new value within five minutes.');
    });

export const secrets = (): Command =>
  new Command('secrets')
    .description("the credentials of other services, and the stage's own secret values")
    .addCommand(list())
    .addCommand(set());
