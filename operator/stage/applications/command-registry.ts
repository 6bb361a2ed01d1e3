import { Command } from 'commander';
import { withoutCredentials } from '../../../shared/notifications/endpoints/endpoint.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { removeEndpoints } from '../../notifications/subscriptions/remove-subscription.ts';
import { subscriptionsOf } from '../../notifications/subscriptions/sns-subscriptions.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { applicationsOf, endpointsOf, getApplication } from '../../platform/target/stores.ts';
import { requireConsent, yesOption } from '../../platform/terminal/confirm.ts';
import { quoted } from '../../platform/terminal/quoted.ts';
import { removeApplication } from './application-keys.ts';
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
