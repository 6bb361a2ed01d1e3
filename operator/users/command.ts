import { Command } from 'commander';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { UserNotAsExpectedError } from '../../shared/users/errors.ts';
import { userDataAnswer } from '../../shared/users/http/answers.ts';
import { putUserData } from '../../shared/users/put-user-data.ts';
import { removeUser } from '../../shared/users/remove-user.ts';
import type { User } from '../../shared/users/user.ts';
import { requireWritable } from '../../shared/users/user-data.ts';
import { operatorOf } from '../platform/target/operator.ts';
import { stageSettings } from '../platform/target/stage-settings.ts';
import {
  applicationsOf,
  applicationUserSubsOf,
  getApplication,
  requireCustomer,
  usersOf,
} from '../platform/target/stores.ts';
import type { Target } from '../platform/target/target.ts';
import { requireConsent, yesOption } from '../platform/terminal/confirm.ts';
import { OperatorError } from '../platform/terminal/operator-error.ts';
import { type Output, utc } from '../platform/terminal/output.ts';
import { readText } from '../platform/terminal/read-file.ts';
import { readUserDataChange } from './change-file.ts';

const noSuchUser = (userSub: string) => new OperatorError({ message: `There is no user ${userSub}.` });

const getUser = async (target: Target, userSub: string) => {
  const user = await usersOf(target).find(userSub);
  if (user === undefined) throw noSuchUser(userSub);
  return user;
};

const show = () =>
  new Command('show')
    .description("show a user's stored data, and the user's identifier in each application")
    .argument('<user-sub>', "the user's id at the identity provider (`sub` in its tokens)")
    .action(async (userSub: string, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const user = await getUser(target, userSub);
      const subs = await applicationUserSubsOf(target).ofRegistration(user.registrationId);
      output.fields({
        user_sub: user.userSub,
        version: user.version,
        changed_at: utc(user.changedAt),
        ...userDataAnswer(user),
        application_user_subs: [...subs.values()].map((sub) => ({
          application: sub.applicationId,
          application_user_sub: sub.applicationUserSub,
          linked: sub.isLinked,
        })),
      });
    });

const showChanged = (
  output: Output,
  { before, user }: { readonly before: User | undefined; readonly user: User },
): void => {
  output.fields({
    user_sub: user.userSub,
    version: user.version,
    changed_at: utc(user.changedAt),
    ...userDataAnswer(user),
  });
  if (before?.version === user.version) output.remark('Nothing changed: no customer is notified.');
};

interface PutOptions {
  readonly data?: string;
  readonly file?: string;
  readonly application?: string;
}

const put = () =>
  new Command('put')
    .description(
      "register a user or change its data, as the user's own profile call does; customers are notified",
    )
    .argument('<user-sub>', "the user's id at the identity provider (`sub` in its tokens)")
    .option('--data <json>', 'keys of user_data to set; null removes one')
    .option(
      '--file <file>',
      '{"user_data": {…}, "user_agreements": […]}; the agreements replace the stored ones',
    )
    .option('--application <id>', 'link the user to this application')
    .action(
      async (userSub: string, { data, file, application: applicationId }: PutOptions, command: Command) => {
        const source = file === undefined ? undefined : { name: file, text: await readText(file) };
        const change = readUserDataChange({ data, file: source });
        const { target, output } = await operatorOf(command);
        if (applicationId !== undefined)
          requireCustomer(await getApplication(applicationsOf(target), applicationId));
        requireWritable(change, stageSettings(target.stage).userData.readOnlyKeys);
        const users = usersOf(target);
        const before = await users.find(userSub);
        const user = await putUserData(
          { users, subs: applicationUserSubsOf(target), clock: systemClock },
          { userSub, applicationId, change },
        );
        showChanged(output, { before, user });
      },
    );

const set = () =>
  new Command('set')
    .description(
      "write keys of a user's data, including those that only the operator may write (userData.readOnlyKeys); customers are notified",
    )
    .argument('<user-sub>', "the user's id at the identity provider (`sub` in its tokens)")
    .requiredOption('--data <json>', 'keys of user_data to set; null removes one')
    .action(async (userSub: string, { data }: { readonly data: string }, command: Command) => {
      const change = readUserDataChange({ data });
      const { target, output } = await operatorOf(command);
      const users = usersOf(target);
      const before = await getUser(target, userSub);
      try {
        const user = await putUserData(
          { users, subs: applicationUserSubsOf(target), clock: systemClock },
          { userSub, applicationId: undefined, change, isExpected: (found) => found !== undefined },
        );
        showChanged(output, { before, user });
      } catch (error) {
        // The user was removed after it was read. This command must not create it again.
        if (error instanceof UserNotAsExpectedError) throw noSuchUser(userSub);
        throw error;
      }
    });

const remove = () =>
  new Command('remove')
    .description('delete a user; the applications that knew it are notified')
    .argument('<user-sub>', "the user's id at the identity provider (`sub` in its tokens)")
    .option(...yesOption)
    .action(async (userSub: string, { yes }: { readonly yes?: boolean }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const users = usersOf(target);
      // Reads only the user's identifiers, so that a user with unreadable data can be deleted, too.
      const trace = await users.trace(userSub);
      if (trace?.isRemoved === false) {
        await requireConsent({ question: `Delete user ${userSub} and all its data?`, yes });
      }
      const isRemoved = await removeUser({ users, clock: systemClock }, { userSub });
      if (!isRemoved) throw noSuchUser(userSub);
      output.fields({ removed: userSub });
      output.remark('Wallets and claimed tokens are forgotten within seconds: see "failed-erasures list".');
    });

export const users = (): Command =>
  new Command('users')
    .description('registered users')
    .addCommand(show())
    .addCommand(put())
    .addCommand(set())
    .addCommand(remove());
