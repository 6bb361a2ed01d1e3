import { Command } from 'commander';
import { addressesAtMost } from '../../../shared/ott/sessions/viewer-sessions.ts';
import { allSessions } from '../../../shared/ott/store/sessions.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { documentsOf } from '../../platform/target/stores.ts';
import { naturalNumber } from '../../platform/terminal/arguments.ts';

interface SharingOptions {
  readonly application?: string;
  readonly begun: number;
  readonly refused: number;
  readonly addresses: number;
}

const sharing = () =>
  new Command('sharing')
    .description(
      'show viewers who began many paid streams today (UTC), used one session on several devices, or had many addresses: several people may share one login',
    )
    .option('--application <id>', 'only viewers whose streams this application counted')
    .option('--begun <number>', 'viewers who began at least this many streams', naturalNumber, 10)
    .option(
      '--refused <number>',
      'viewers who got at least this many refusals because another device had renewed the session',
      naturalNumber,
      3,
    )
    .option('--addresses <number>', 'viewers who had at least this many addresses', naturalNumber, 10)
    .action(async ({ application: applicationId, ...least }: SharingOptions, command: Command) => {
      const { target, output } = await operatorOf(command);
      const now = systemClock();
      const today = new Date(now).toISOString().slice(0, 10);
      const store = { client: documentsOf(target), tableName: target.output('SessionsTable') };
      const rows = [];
      for await (const { userSub, sessions } of allSessions(store)) {
        const { day, applicationIds, begun, ended, takenOver, refused, addresses } = sessions.today;
        const isAsked = applicationId === undefined || applicationIds.includes(applicationId);
        const isShown =
          begun >= least.begun || refused >= least.refused || addresses.length >= least.addresses;
        if (day !== today || !isShown || !isAsked) continue;
        rows.push({
          applications: applicationIds.join(', '),
          user_sub: userSub,
          begun,
          ended,
          taken_over: takenOver,
          refused,
          addresses: addresses.length >= addressesAtMost ? `${addressesAtMost} or more` : addresses.length,
          playing: sessions.slots.filter(({ endsAt }) => endsAt > now).length,
        });
      }
      rows.sort((a, b) => b.begun + b.refused - b.ended - (a.begun + a.refused - a.ended));
      output.rows(
        ['applications', 'user_sub', 'begun', 'ended', 'taken_over', 'refused', 'addresses', 'playing'],
        rows,
      );
      if (rows.length === 0) output.remark('No viewer reached any of these numbers today.');
    });

export const viewers = (): Command =>
  new Command('viewers')
    .description('viewers of applications that limit how many paid streams play at once')
    .addCommand(sharing());
