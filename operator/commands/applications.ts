import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Command } from 'commander';
import { dynamoDbApplications } from '../../shared/adapters/dynamodb/applications.ts';
import { configureApplication, readConfiguration } from '../applications/configure-application.ts';
import { operatorOf } from '../operator.ts';
import { readText } from '../read-file.ts';

const configure = () =>
  new Command('configure')
    .description("set an application's rules and countries for OTT events, in place of those it has")
    .argument('<id>', 'the application')
    .requiredOption('--file <file>', '{"ott": {"rules": […], "geoblocking": {…}}}')
    .action(async (id: string, { file }: { readonly file: string }, command: Command) => {
      const configuration = readConfiguration({ file, text: await readText(file) });
      const { target, output } = await operatorOf(command);
      const { application, isChanged } = await configureApplication({
        id,
        configuration,
        applications: dynamoDbApplications({
          client: DynamoDBDocumentClient.from(new DynamoDBClient(target.aws), {
            marshallOptions: { removeUndefinedValues: true },
          }),
          tableName: target.output('ApplicationsTable'),
        }),
      });
      output.record({ application: application.id, ott: application.ott });
      output.remark(isChanged ? 'Functions go by it within 30 seconds.' : 'It was configured so before.');
    });

export const applications = (): Command =>
  new Command('applications').description("customers' applications").addCommand(configure());
