import { Command } from 'commander';
import { allSessions } from '../../shared/adapters/dynamodb/sessions.ts';
import { systemClock } from '../../shared/clock.ts';
import { addressesAtMost } from '../../shared/ott/viewer-sessions.ts';
import { naturalNumber } from '../arguments.ts';
import { operatorOf } from '../operator.ts';
import { documentsOf } from '../stores.ts';

interface SharingOptions {
  readonly application?: string;
  readonly begun: number;
}

const sharing = () =>
  new Command('sharing')
    .description(
      'show viewers who began far more paid streams today (UTC) than they ended: several people may share one login',
    )
    .option('--application <id>', 'only viewers of this application')
    .option('--begun <number>', 'only viewers who began at least this many streams', naturalNumber, 10)
    .action(async ({ application, begun: atLeast }: SharingOptions, command: Command) => {
      const { target, output } = await operatorOf(command);
      const now = systemClock();
      const today = new Date(now).toISOString().slice(0, 10);
      const store = { client: documentsOf(target), tableName: target.output('SessionsTable') };
      const rows = [];
      for await (const { applicationId, userSub, sessions } of allSessions(store)) {
        const { day, begun, ended, takenOver, addresses } = sessions.today;
        const isAsked = application === undefined || applicationId === application;
        if (day !== today || begun < atLeast || !isAsked) continue;
        rows.push({
          application: applicationId,
          user_sub: userSub,
          begun,
          ended,
          taken_over: takenOver,
          addresses: addresses.length === addressesAtMost ? `${addressesAtMost} or more` : addresses.length,
          playing: sessions.slots.filter(({ endsAt }) => endsAt > now).length,
        });
      }
      rows.sort((a, b) => b.begun - b.ended - (a.begun - a.ended));
      output.rows(['application', 'user_sub', 'begun', 'ended', 'taken_over', 'addresses', 'playing'], rows);
      if (rows.length === 0) output.remark(`No viewer began ${atLeast} or more streams today.`);
    });

export const viewers = (): Command =>
  new Command('viewers')
    .description('viewers of applications that limit how many paid streams play at once')
    .addCommand(sharing());
