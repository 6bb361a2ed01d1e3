import { Command } from 'commander';
import * as z from 'zod';
import { operatorOf } from '../platform/target/operator.ts';
import { positiveInteger } from '../platform/terminal/arguments.ts';
import { OperatorError, UsageError } from '../platform/terminal/operator-error.ts';

const answerSchema = z.object({ access_token: z.string(), expires_in: z.number() });

interface TokenOptions {
  readonly client: string;
  readonly expiresIn: number;
}

export const token = (): Command =>
  new Command('token')
    .description('issue a test token for a user; on this machine only')
    .argument('<user-sub>', 'the user that the token is for')
    .option('--client <id>', 'the OIDC client that the token is issued to', 'demo-web')
    .option('--expires-in <seconds>', 'how long the token is valid', positiveInteger, 3_600)
    .action(async (userSub: string, { client, expiresIn }: TokenOptions, command: Command) => {
      const { target, output, isJson } = await operatorOf(command);
      if (target.localIssuer === undefined) {
        throw new UsageError({ message: "On AWS, tokens come from the stage's identity provider." });
      }
      const response = await fetch(`${target.localIssuer}/token`, {
        method: 'POST',
        body: new URLSearchParams({ sub: userSub, client_id: client, expires_in: String(expiresIn) }),
      });
      if (!response.ok) {
        throw new OperatorError({
          message: `The issuer answered ${response.status}: ${await response.text()}`,
        });
      }
      const { access_token } = answerSchema.parse(await response.json());
      if (isJson)
        output.fields({ access_token, user_sub: userSub, client_id: client, expires_in: expiresIn });
      else output.bare(access_token);
    });
