import { dynamoDbUserClaims } from '../../shared/nft/store/user-claims.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { stageSettings } from '../platform/target/stage-settings.ts';
import { applicationUserSubsOf, documentsOf, usersOf, walletsOf } from '../platform/target/stores.ts';
import type { Target } from '../platform/target/target.ts';

/** What forgets users who were removed from the stage. */
export const forgettingOf = (target: Target) => ({
  users: usersOf(target),
  subs: applicationUserSubsOf(target),
  wallets: walletsOf(target),
  claims: dynamoDbUserClaims({
    client: documentsOf(target),
    tableName: target.output('NftsTable'),
    historyTableName: target.output('TokenHistoryTable'),
  }),
  ticketSeconds: stageSettings(target.stage).ott.ticketSeconds,
  clock: systemClock,
});
