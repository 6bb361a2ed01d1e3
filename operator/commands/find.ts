import { Command } from 'commander';
import { find as findIn } from '../find/find.ts';
import { stageFinder } from '../find/stage-finder.ts';
import type { Story } from '../find/story.ts';
import { operatorOf } from '../operator.ts';
import { OperatorError } from '../operator-error.ts';
import { shortened } from '../output.ts';

/** A line has no room for a hash beside a time; `--json` and the named commands show it whole. */
const withShortHashes = (text: string): string => text.replaceAll(/0x[0-9a-f]{64}/g, shortened);

const storyRecord = ({ kind, id, fields, moments, related, commands }: Story) => ({
  kind,
  id,
  ...fields,
  story: moments.map(({ at, what, isGap }) => ({
    at: at ?? '',
    what: withShortHashes(isGap ? `? ${what}` : what),
  })),
  related,
  commands,
});

export const find = (): Command =>
  new Command('find')
    .description('find anything by its name and show its timeline: what happened to it, and what is unknown')
    .argument(
      '<what>',
      'an address, token (address/id), transaction hash, nonce, idempotency key, request id, message id, user, application_user_sub, event or customer',
    )
    .action(async (what: string, _: unknown, command: Command) => {
      const { target, output, isJson } = await operatorOf(command);
      const stories = await findIn(stageFinder(target, output), what);
      if (isJson) output.record(stories);
      else for (const story of stories) output.record(storyRecord(story));
      if (stories.length === 0) throw new OperatorError({ message: `Nothing found for ${what}.` });
    });
