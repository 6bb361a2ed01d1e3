import { Command } from 'commander';
import { operatorOf } from '../../platform/target/operator.ts';
import { seenSoon } from '../../platform/target/stores.ts';
import { addClient, removeClient } from './change-application.ts';
import { keyKeepingOf } from './key-keeping.ts';

const clientCommand = ({
  name,
  description,
  change,
}: {
  readonly name: string;
  readonly description: string;
  readonly change: typeof addClient;
}) =>
  new Command(name)
    .description(description)
    .argument('<id>', 'the application')
    .argument(
      '<client-id>',
      "the client's id, as tokens state it in azp or client_id, or in the claims of oidc.clientClaims",
    )
    .action(async (id: string, clientId: string, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const { clientIds } = await change(keyKeepingOf(target), { id, clientId });
      output.fields({ id, clients: clientIds });
      output.remark(seenSoon);
    });

export const addClientCommand = () =>
  clientCommand({
    name: 'add-client',
    description: "assign an OIDC client's tokens to this application",
    change: addClient,
  });

export const removeClientCommand = () =>
  clientCommand({
    name: 'remove-client',
    description: 'remove an OIDC client; its tokens then belong to no application',
    change: removeClient,
  });
