import { Command } from 'commander';
import { inParallel } from '../../../shared/platform/in-parallel.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { applicationsOf, dailyCountsOf, getApplication } from '../../platform/target/stores.ts';
import { usageOf, usageRow } from './usage.ts';

const columns = [
  'application',
  'tier',
  'day',
  'contracts',
  'contracts_per_day',
  'mints',
  'mints_per_day',
] as const;

export const usageCommand = () =>
  new Command('usage')
    .description('show how much of their daily limits applications have used today (UTC)')
    .argument('[id]', 'the application; without it, all applications')
    .action(async (id: string | undefined, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const applications = applicationsOf(target);
      const chosen = id === undefined ? await applications.list() : [await getApplication(applications, id)];
      const counts = dailyCountsOf(target);
      const usages = await inParallel(chosen, {
        atOnce: 10,
        run: (application) => usageOf({ counts, clock: systemClock }, application),
      });
      output.rows(columns, usages.map(usageRow), { dispensable: ['day', 'tier'] });
    });
