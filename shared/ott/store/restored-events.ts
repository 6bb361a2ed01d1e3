import * as z from 'zod';
import type { Table } from '../../platform/store/client.ts';
import {
  ifMissing,
  keep,
  leave,
  never,
  putMissing,
  type RestorableTable,
  startsWith,
  write,
} from '../../platform/store/restored-items.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { judgePaths, movesOf } from '../catalogue/judged-paths.ts';
import { overlapText } from '../catalogue/overlapping-pairs.ts';
import type { Signing } from '../streams/signed-path.ts';
import { dynamoDbCatalogue } from './catalogue.ts';
import { editCountsPrefix } from './edit-counts.ts';
import { eventKey, eventOf, newLife } from './event-items.ts';
import { historyPrefix } from './history.ts';
import { pathsPrefix } from './recent-paths.ts';

const voidSchema = z.object({ pk: z.string(), tokens: z.record(z.string(), z.number()) });
const categorySchema = z.object({ pk: z.string(), version: z.int(), event: z.string() });

/** The event of a category's item. Its key is `CATEGORY#<event>#<category>`, and an event's id has no `#`. */
const eventOfCategory = (pk: string): string => pk.split('#')[1] ?? '';

/**
 * Why an event stays away. `undefined`: it may come back. An event whose signature would open the stream of
 * another is refused to viewers, so the one that is there keeps its path.
 */
const whyLeft = async (live: Table, text: unknown, signing: Signing): Promise<string | undefined> => {
  const after = eventOf(text);
  const dependencies = { catalogue: dynamoDbCatalogue(live), clock: systemClock, signing };
  const moves = movesOf([{ after }]);
  if (moves.size === 0) return undefined;
  const [found] = (await judgePaths(dependencies, { moves })).overlaps.values();
  return found && `Event ${after?.id} was not brought back: ${found.map(overlapText).join('; ')}.`;
};

/**
 * An event comes back if it is missing and its path is free, and then its categories. A ticket that was void is void
 * again: nobody can see whether a customer made it valid since, or whether the mark was lost.
 */
export const restoredEvents = (
  { client, tableName }: Table,
  { signing }: { readonly signing: Signing },
): RestorableTable => ({
  keys: ['pk'],
  kinds: [
    {
      name: 'void tickets',
      matches: startsWith('VOID#'),
      decide: (restored, live) => {
        if (live === undefined) return write(putMissing(tableName, restored));
        const { pk, tokens } = voidSchema.parse(restored);
        const known = voidSchema.parse(live).tokens;
        if (Object.keys(tokens).every((id) => known[id] !== undefined)) return keep;
        // The map is written whole, because an expression of 4 KB, which is DynamoDB's limit, names only 91 tickets.
        return write({
          Update: {
            TableName: tableName,
            Key: { pk },
            UpdateExpression: 'SET tokens = :all',
            ConditionExpression: 'tokens = :known',
            ExpressionAttributeValues: { ':all': { ...tokens, ...known }, ':known': known },
          },
        });
      },
    },
    {
      name: 'event',
      matches: startsWith('EVENT#'),
      decide: async (restored, live) => {
        if (live !== undefined) return keep;
        const why = await whyLeft({ client, tableName }, restored.event, signing);
        if (why !== undefined) return { outcome: 'leave', why };
        // The versions that follow have been used before. Without a life of its own, an editor who has read one of those
        // would replace what nobody has shown to the editor.
        return write(putMissing(tableName, { ...restored, life: newLife() }));
      },
    },
    // The changes since are in the same places. What they were is lost only where the live table lacks an item.
    { name: 'change of an event', matches: startsWith(historyPrefix), decide: ifMissing(tableName) },
    { name: 'recently moved paths', matches: startsWith(pathsPrefix), decide: never },
    { name: 'counts of editors’ changes', matches: startsWith(editCountsPrefix), decide: never },
    {
      name: 'category of an event',
      matches: startsWith('CATEGORY#'),
      pass: 2,
      decide: async (restored, live) => {
        if (live !== undefined) return keep;
        const { pk, version, event } = categorySchema.parse(restored);
        const Key = eventKey(eventOfCategory(pk));
        const { Item } = await client.get({ TableName: tableName, Key, ConsistentRead: true });
        // If the event has another version now, these categories do not belong to it.
        if (Item?.version !== version || Item.event !== event) return leave;
        return write(putMissing(tableName, restored), {
          ConditionCheck: {
            TableName: tableName,
            Key,
            ConditionExpression: 'version = :version AND #event = :event',
            ExpressionAttributeNames: { '#event': 'event' },
            ExpressionAttributeValues: { ':version': version, ':event': event },
          },
        });
      },
    },
  ],
});
