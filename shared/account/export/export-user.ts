import type { ViewerSessions } from '../../ott/sessions/viewer-sessions.ts';
import type { Applications } from '../../platform/applications/ports/applications.ts';
import { inParallel } from '../../platform/in-parallel.ts';
import type { ApplicationUserSub } from '../../users/application-user-sub.ts';
import type { ApplicationUserSubs } from '../../users/ports/application-user-subs.ts';
import type { User } from '../../users/user.ts';
import { type ExportAccountDependencies, type ExportedAccount, exportAccount } from './export-account.ts';
import {
  type ExportPlace,
  type ExportTokensDependencies,
  exportTokens,
  type TokensPage,
} from './export-tokens.ts';

export interface ExportUserDependencies extends ExportAccountDependencies, ExportTokensDependencies {
  readonly applications: Pick<Applications, 'find'>;
  readonly subs: Pick<ApplicationUserSubs, 'ofRegistration'>;
}

export interface ExportPage extends TokensPage {
  /** Everything but the tokens. Only on the first page. */
  readonly account: ExportedAccount | undefined;
  /** The user's identifiers, by application. */
  readonly subs: readonly ApplicationUserSub[];
  /** The names of the applications on this page, by their ids. Removed applications have none. */
  readonly names: ReadonlyMap<string, string>;
}

const namesAtOnce = 10;

const namesOf = async (
  { applications }: Pick<ExportUserDependencies, 'applications'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const found = await inParallel(ids, { atOnce: namesAtOnce, run: (id) => applications.find(id) });
  return new Map(found.flatMap((application) => (application ? [[application.id, application.name]] : [])));
};

/** The applications that count the user's streams. Not all of them need an identifier for the user. */
const countersOf = ({ slots, today }: ViewerSessions): readonly string[] => [
  ...slots.flatMap(({ applicationIds }) => applicationIds),
  ...today.applicationIds,
];

/**
 * One page of all that is stored of a user. The pages are read one after the other, so what changes meanwhile may be on a
 * page as it was before or as it is then.
 */
export const exportUser = async (
  dependencies: ExportUserDependencies,
  {
    user,
    from,
  }: {
    readonly user: User;
    /** @default the beginning */
    readonly from: ExportPlace | undefined;
  },
): Promise<ExportPage> => {
  const found = await dependencies.subs.ofRegistration(user.registrationId);
  const subs = [...found.values()];
  const [account, tokens] = await Promise.all([
    from === undefined ? exportAccount(dependencies, user) : undefined,
    exportTokens(dependencies, { subs, from }),
  ]);
  const named =
    account === undefined
      ? tokens.tokens.map(({ key }) => key.applicationId)
      : [...found.keys(), ...(account.sessions === undefined ? [] : countersOf(account.sessions))];
  const names = await namesOf(dependencies, [...new Set(named)]);
  return { account, subs, names, ...tokens };
};
