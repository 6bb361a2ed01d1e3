import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Command } from 'commander';
import { dynamoDbEvents } from '../../shared/adapters/dynamodb/events.ts';
import { readEventFile } from '../events/event-file.ts';
import { type ImportOutcome, importEvents } from '../events/import-events.ts';
import { operatorOf } from '../operator.ts';
import { OperatorError } from '../operator-error.ts';
import { readText } from '../read-file.ts';

const importFile = () =>
  new Command('import')
    .description('bring in events, new or changed, from a JSON array or, as *.csv, from a table')
    .argument('<file>', 'the file; an event that is wrong is reported with its line and left as it was')
    .action(async (file: string, _: unknown, command: Command) => {
      const { target, output } = await operatorOf(command);
      const entries = readEventFile({ file, text: await readText(file) });
      const outcomes = await importEvents({
        entries,
        events: dynamoDbEvents({
          client: DynamoDBDocumentClient.from(new DynamoDBClient(target.aws)),
          tableName: target.output('EventsTable'),
        }),
      });
      output.rows(
        ['line', 'event', 'outcome', 'reason'],
        outcomes.map(({ line, id, outcome, reasons }) => ({
          line,
          event: id,
          outcome,
          reason: reasons.length === 0 ? undefined : reasons.join('; '),
        })),
      );
      output.remark(summaryOf(outcomes));
      const left = outcomes.filter(({ outcome }) => outcome === 'refused' || outcome === 'failed');
      if (left.length > 0) {
        throw new OperatorError({
          message: `${left.length} of ${outcomes.length} events were not imported and are as they were.`,
        });
      }
    });

const summaryOf = (outcomes: readonly ImportOutcome[]): string => {
  const counts = Object.groupBy(outcomes, ({ outcome }) => outcome);
  const parts = Object.entries(counts).map(([outcome, those]) => `${those.length} ${outcome}`);
  return parts.length === 0 ? 'The file holds no events.' : `${parts.join(', ')}.`;
};

export const events = (): Command =>
  new Command('events').description('the catalogue of OTT events').addCommand(importFile());
