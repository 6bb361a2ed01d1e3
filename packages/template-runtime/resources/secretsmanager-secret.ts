import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';
import { flag, whole } from './template-values.ts';

const generateSecretString = z.strictObject({
  ExcludeCharacters: z.string().default(''),
  ExcludeLowercase: flag.default(false),
  ExcludeNumbers: flag.default(false),
  ExcludePunctuation: flag.default(false),
  ExcludeUppercase: flag.default(false),
  GenerateStringKey: z.string().optional(),
  IncludeSpace: flag.default(false),
  PasswordLength: whole.default(32),
  RequireEachIncludedType: flag.optional(),
  SecretStringTemplate: z.string().optional(),
});

const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const jsonObject = z.record(z.string(), z.unknown());

/** Generates a value as GetRandomPassword does. */
const generate = (rules: z.infer<typeof generateSecretString>): string => {
  const alphabet = [
    ...(rules.ExcludeLowercase ? '' : 'abcdefghijklmnopqrstuvwxyz'),
    ...(rules.ExcludeUppercase ? '' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    ...(rules.ExcludeNumbers ? '' : '0123456789'),
    ...(rules.ExcludePunctuation ? '' : punctuation),
    ...(rules.IncludeSpace ? ' ' : ''),
  ].filter((character) => !rules.ExcludeCharacters.includes(character));
  const password = Array.from(
    { length: rules.PasswordLength },
    () => alphabet[randomInt(alphabet.length)],
  ).join('');
  if (rules.SecretStringTemplate === undefined || rules.GenerateStringKey === undefined) return password;
  const template = jsonObject.parse(JSON.parse(rules.SecretStringTemplate));
  return JSON.stringify({ ...template, [rules.GenerateStringKey]: password });
};

export const secretsManagerSecret = resourceType({
  type: 'AWS::SecretsManager::Secret',
  properties: z.strictObject({
    Name: z.string().optional(),
    Description: z.string().optional(),
    GenerateSecretString: generateSecretString.optional(),
    KmsKeyId: z.string().optional(),
    SecretString: z.string().optional(),
    Tags: tags.optional(),
  }),
  deploy: async (properties, { engines, stackName, logicalId }) => {
    const { Description, GenerateSecretString, SecretString } = properties;
    const secret = engines.secrets.create({
      name: properties.Name ?? `${stackName}-${logicalId}`,
      ...(Description !== undefined && { description: Description }),
      tags: Object.fromEntries((properties.Tags ?? []).map(({ Key, Value }) => [Key, Value])),
      initialValue: () => (GenerateSecretString ? generate(GenerateSecretString) : (SecretString ?? '')),
    });
    return { ref: secret.arn, attributes: { Id: secret.arn } };
  },
  remove: async ({ ref }, { engines }) => engines.secrets.remove(ref),
});
