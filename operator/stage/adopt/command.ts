import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { Command } from 'commander';
import type { AwsSettings } from '../../../shared/platform/aws/client.ts';
import { awsSettingsOf } from '../../platform/target/target.ts';
import { OperatorError } from '../../platform/terminal/operator-error.ts';
import { createOutput } from '../../platform/terminal/output.ts';
import { readText } from '../../platform/terminal/read-file.ts';
import { adoptionOf, templateSchema } from './adoption.ts';

/** The names of a stack's resources, by logical id. A stack that was removed is known by its ARN for 90 days. */
const physicalIdsOf = async (aws: AwsSettings, StackName: string): Promise<ReadonlyMap<string, string>> => {
  const client = new CloudFormationClient(aws);
  const found = new Map<string, string>();
  try {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources(
      { client },
      { StackName },
    )) {
      for (const { LogicalResourceId = '', PhysicalResourceId } of StackResourceSummaries) {
        if (PhysicalResourceId !== undefined) found.set(LogicalResourceId, PhysicalResourceId);
      }
    }
    return found;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError({ message: `The resources of ${StackName} cannot be read: ${reason}`, cause });
  } finally {
    client.destroy();
  }
};

const parsed = (text: string, file: string) => {
  try {
    return templateSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new OperatorError({ message: `${file} is not a template that cdk synth has written.`, cause });
  }
};

interface AdoptOptions {
  readonly stage: string;
  readonly outputs?: string;
  readonly json?: boolean;
  readonly template: string;
  readonly stack?: string;
  readonly out: string;
}

export const adopt = (): Command =>
  new Command('adopt')
    .description(
      'write the template and the list with which CloudFormation imports what a removed stack has retained',
    )
    .requiredOption('--template <file>', 'the template that cdk synth has written for the stage')
    .option(
      '--stack <arn>',
      "the old stack; one that was removed is known by its ARN (default: the stage's stack)",
    )
    .option('--out <folder>', 'the folder of the two files', 'adopted')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<AdoptOptions>();
      const { stage, outputs, json = false, template: file, stack = `Marquee-${stage}`, out } = options;
      const output = createOutput({ json });
      const aws = awsSettingsOf({ stage, outputsFile: outputs });
      const adoption = adoptionOf(parsed(await readText(file), file), await physicalIdsOf(aws, stack));
      mkdirSync(out, { recursive: true });
      const written = {
        template: join(out, 'template.json'),
        resources_to_import: join(out, 'resources-to-import.json'),
      };
      // CloudFormation takes a template of at most 51,200 bytes without a bucket.
      writeFileSync(written.template, JSON.stringify(adoption.template));
      writeFileSync(written.resources_to_import, JSON.stringify(adoption.resourcesToImport, undefined, 2));
      output.fields({ ...written, resources: adoption.resourcesToImport.length });
    });
