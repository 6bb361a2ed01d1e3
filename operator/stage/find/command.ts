import { Command } from 'commander';
import { operatorOf } from '../../platform/target/operator.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { shortened } from '../../platform/terminal/output.ts';
import { find as findIn } from './find.ts';
import { stageFinder } from './stage-finder.ts';
import type { Timeline } from './timeline.ts';

/**
 * A line is too short for both a time and a full hash. `--json` and the commands that `find` prints show full hashes.
 */
const withShortHashes = (text: string): string => text.replaceAll(/0x[0-9a-f]{64}/g, shortened);

const timelineRecord = ({ kind, id, fields, moments, related }: Timeline) => ({
  kind,
  id,
  ...fields,
  timeline: moments.map(({ at, what, isUnknown }) => ({
    at: at ?? '',
    what: withShortHashes(isUnknown ? `? ${what}` : what),
  })),
  related,
});

export const find = (): Command =>
  new Command('find')
    .description(
      'find anything by its identifier and show its timeline: what happened to it, and what must have happened but is recorded nowhere',
    )
    .argument(
      '<what>',
      'an address, token (address/id), transaction hash, nonce, idempotency key, request id, message id, dead letter, user, application_user_sub, event, customer or endpoint',
    )
    .action(async (what: string, _: unknown, command: Command) => {
      const { target, output, isJson } = await operatorOf(command);
      const timelines = await findIn(stageFinder(target, output), what);
      if (isJson) output.fields(timelines);
      else {
        for (const timeline of timelines) {
          output.fields(timelineRecord(timeline));
          output.bare('');
          for (const words of timeline.commands) output.bare(target.command(words));
        }
      }
      if (timelines.length === 0) throw new OperatorError({ message: `Nothing found for ${what}.` });
    });
