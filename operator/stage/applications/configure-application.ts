import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { isKnownField, ottChangeSchema } from '../../../shared/ott/configuration.ts';
import type { Signing } from '../../../shared/ott/streams/signed-path.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { ApplicationConflictError } from '../../../shared/platform/applications/errors.ts';
import type { ApplicationRegistry } from '../../../shared/platform/applications/ports/applications.ts';
import { parseIncoming } from '../../../shared/platform/parsing/incoming.ts';
import { sentencesOf } from '../../../shared/platform/parsing/mistake-sentences.ts';
import { walletsConfigurationSchema } from '../../../shared/wallets/configuration.ts';
import { requireCustomer } from '../../platform/target/stores.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { parseJson } from '../../platform/terminal/read-file.ts';

/** A field that is left out keeps its value; `null` clears the field. */
const configurationSchema = z
  .strictObject({ ott: ottChangeSchema.optional(), wallets: walletsConfigurationSchema.nullish() })
  .refine(({ ott, wallets }) => ott !== undefined || wallets !== undefined, {
    error: 'names nothing to change: ott, wallets or both',
  });
export type ApplicationConfiguration = z.output<typeof configurationSchema>;

/** The stage can enforce the configuration. */
const enforceableSchema = (signing: Signing) =>
  configurationSchema.refine(({ ott }) => typeof ott?.streams_at_once !== 'number' || signing === 'cookies', {
    path: ['ott', 'streams_at_once'],
    error:
      'this stage does not sign with cookies (ott.playback), and only expiring cookies can stop a player in the middle of a stream',
  });

/** @throws OperatorError that names every mistake in the file. */
export const readConfiguration = ({
  file,
  text,
  signing,
}: {
  readonly file: string;
  readonly text: string;
  /** How the stage signs streams. */
  readonly signing: Signing;
}): ApplicationConfiguration => {
  const parsed = parseIncoming(enforceableSchema(signing), parseJson(file, text));
  if (parsed.success) return parsed.data;
  const mistakes = sentencesOf(parsed.mistakes).map((mistake) => `  ${mistake}`);
  throw new OperatorError({ message: [`${file} was not applied:`, ...mistakes].join('\n') });
};

/**
 * The fields of `before`, changed to those that `change` names. `null` in `change` removes a field; `null` in `before`
 * stays, because a later release may have stored it.
 */
export const changedOtt = (
  before: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => {
  const kept = Object.entries(before).filter(([name]) => change[name] === undefined);
  const set = Object.entries(change).filter(([, value]) => value !== null);
  return definedIn(Object.fromEntries([...kept, ...set]));
};

const definedIn = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** @throws OperatorError if the change would drop what only a later release knows. */
const requireKnown = ({ id, ott }: Application, change: ApplicationConfiguration['ott'] = {}): void => {
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || isKnownField(name as keyof typeof change, ott[name])) continue;
    throw new OperatorError({
      message: `ott.${name} of ${id} was stored by a later release of the service. This release does not know all of it, so it cannot change it.`,
    });
  }
};

/**
 * Changes what the configuration names of an application's rules, its countries, and the web pages on which its users
 * may link wallets. Applying the same configuration again changes nothing.
 *
 * @throws OperatorError when the application does not exist, or another command changed it in the meantime.
 */
export const configureApplication = async ({
  id,
  configuration,
  applications,
}: {
  readonly id: string;
  readonly configuration: ApplicationConfiguration;
  readonly applications: Pick<ApplicationRegistry, 'find' | 'save'>;
}): Promise<{ readonly application: Application; readonly isChanged: boolean }> => {
  const before = await applications.find(id);
  if (before === undefined) throw new OperatorError({ message: `There is no application ${id}.` });
  requireCustomer(before);
  const { ott, wallets } = configuration;
  requireKnown(before, ott);
  const after = {
    ...before,
    ott: changedOtt(before.ott, ott),
    ...(wallets !== undefined && { wallets: wallets ?? undefined }),
  };
  if (isDeepStrictEqual([changedOtt(before.ott), before.wallets], [after.ott, after.wallets])) {
    return { application: before, isChanged: false };
  }
  try {
    return { application: await applications.save(after), isChanged: true };
  } catch (cause) {
    if (!(cause instanceof ApplicationConflictError)) throw cause;
    throw new OperatorError({ message: `${id} was changed by another command; try again.`, cause });
  }
};
