import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** The parameter, and the rule, by which a CDK app asks for the version of the bootstrap stack. There is none here. */
const bootstrapParameter = 'BootstrapVersion';
const bootstrapRule = z.strictObject({ CheckBootstrapVersion: z.unknown() });

const parameterSchema = z.strictObject({
  Type: z.enum(['String', 'Number', 'CommaDelimitedList', 'List<Number>']),
  Default: z.union([z.string(), z.number()]).optional(),
  Description: z.string().optional(),
  AllowedPattern: z.string().optional(),
  AllowedValues: z.array(z.string()).optional(),
  ConstraintDescription: z.string().optional(),
  MinLength: z.number().optional(),
  MaxLength: z.number().optional(),
  NoEcho: z.boolean().optional(),
});

const resourceSchema = z.strictObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]),
  Metadata: z.record(z.string(), z.unknown()).optional(),
  DeletionPolicy: z.string().optional(),
  UpdateReplacePolicy: z.string().optional(),
});

const outputSchema = z.strictObject({
  Value: z.unknown(),
  Description: z.string().optional(),
  Export: z.strictObject({ Name: z.unknown() }).optional(),
});

const withoutBootstrapVersion = (parameters: unknown): unknown =>
  typeof parameters === 'object' && parameters !== null
    ? Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== bootstrapParameter))
    : parameters;

/** Strict at every level: an unknown section or attribute would otherwise be ignored silently. */
const templateSchema = z.strictObject({
  AWSTemplateFormatVersion: z.string().optional(),
  Description: z.string().optional(),
  Metadata: z.unknown().optional(),
  Parameters: z.preprocess(withoutBootstrapVersion, z.record(z.string(), parameterSchema)).default({}),
  Rules: bootstrapRule.optional(),
  // The limit is from the AWS CloudFormation User Guide, "CloudFormation quotas".
  Resources: z
    .record(z.string(), resourceSchema)
    .refine((resources) => Object.keys(resources).length <= 500, {
      error: 'more than the 500 resources that CloudFormation allows',
    }),
  Outputs: z.record(z.string(), outputSchema).default({}),
});

export type Template = z.output<typeof templateSchema>;
export type TemplateResource = z.output<typeof resourceSchema>;

export interface Assembly {
  readonly directory: string;
  readonly stackName: string;
  readonly terminationProtection: boolean;
  readonly template: Template;
}

const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      properties: z
        .object({
          templateFile: z.string().optional(),
          stackName: z.string().optional(),
          terminationProtection: z.boolean().optional(),
        })
        .optional(),
    }),
  ),
});

/** @throws unless the assembly has exactly one stack. */
export const readAssembly = (directory: string): Assembly => {
  const manifestFile = join(directory, 'manifest.json');
  if (!existsSync(manifestFile))
    throw new Error(`${directory} is not a cloud assembly: it has no manifest.json`);
  const { artifacts } = manifestSchema.parse(JSON.parse(readFileSync(manifestFile, 'utf8')));
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === 'aws:cloudformation:stack');
  const [stack, ...others] = stacks;
  if (!stack || others.length > 0) {
    throw new Error(
      `${directory} contains ${stacks.length} stacks, but the local runtime deploys exactly one`,
    );
  }
  const [id, { properties }] = stack;
  const templateFile = join(directory, properties?.templateFile ?? `${id}.template.json`);
  return {
    directory,
    stackName: properties?.stackName ?? id,
    terminationProtection: properties?.terminationProtection ?? false,
    template: parseTemplate(JSON.parse(readFileSync(templateFile, 'utf8')), templateFile),
  };
};

/** Throws an error that lists every part of the template that the local runtime does not support. */
export const parseTemplate = (json: unknown, file: string): Template => {
  const parsed = templateSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new Error(`the local runtime does not support all of ${file}:\n${z.prettifyError(parsed.error)}`);
};
