import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileDurably } from '../durable-file.ts';
import { arn } from './account.ts';
import { ServiceFault } from './service-fault.ts';

export interface SecretDescription {
  readonly arn: string;
  readonly name: string;
  readonly description?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly createdDate: Date;
  readonly lastChangedDate: Date;
  readonly versionId: string;
}

/** `id` is a secret's name, its ARN, or its ARN without the six random characters. */
export interface SecretEngine {
  /** Declares a secret. If the state directory already has a value for the secret, keeps that value. */
  create(secret: {
    readonly name: string;
    readonly description?: string;
    readonly tags?: Readonly<Record<string, string>>;
    /** Called only when there is no value yet. */
    readonly initialValue: () => string;
  }): SecretDescription;
  get(id: string): SecretDescription & { readonly value: string };
  put(id: string, value: string): SecretDescription;
  list(): readonly SecretDescription[];
  remove(id: string): void;
}

const storedSecrets = z.record(
  z.string(),
  z.object({
    value: z.string(),
    versionId: z.string(),
    createdDate: z.iso.datetime(),
    lastChangedDate: z.iso.datetime(),
  }),
);

/**
 * The six characters at the end of a secret's ARN. They are random on AWS. Here they derive from the name, so that the
 * ARN stays the same when the state is deleted.
 */
const suffix = (name: string): string =>
  createHash('sha256').update(name).digest('base64').replaceAll(/[+/=]/g, '').slice(0, 6);

const arnOf = (name: string): string => arn('secretsmanager', `secret:${name}-${suffix(name)}`);

export const createSecretEngine = ({ stateDirectory }: { readonly stateDirectory: string }): SecretEngine => {
  const path = join(stateDirectory, 'secrets.json');
  const values = existsSync(path) ? storedSecrets.parse(JSON.parse(readFileSync(path, 'utf8'))) : {};
  const declared = new Map<string, Pick<SecretDescription, 'description' | 'tags'>>();

  const describe = (name: string): SecretDescription & { readonly value: string } => {
    const stored = values[name];
    const declaration = declared.get(name);
    if (!stored || !declaration) {
      throw new ServiceFault({
        code: 'ResourceNotFoundException',
        message: "Secrets Manager can't find the specified secret.",
      });
    }
    return {
      ...declaration,
      arn: arnOf(name),
      name,
      value: stored.value,
      versionId: stored.versionId,
      createdDate: new Date(stored.createdDate),
      lastChangedDate: new Date(stored.lastChangedDate),
    };
  };
  const nameOf = (id: string): string =>
    [...declared.keys()].find((name) => id === arnOf(name) || id === arnOf(name).slice(0, -7)) ?? id;
  const write = (name: string, value: string): void => {
    const now = new Date().toISOString();
    values[name] = {
      value,
      versionId: randomUUID(),
      createdDate: values[name]?.createdDate ?? now,
      lastChangedDate: now,
    };
    writeFileDurably(path, JSON.stringify(values));
  };

  return {
    create({ name, initialValue, ...declaration }) {
      declared.set(name, declaration);
      if (!values[name]) write(name, initialValue());
      return describe(name);
    },
    get: (id) => describe(nameOf(id)),
    put(id, value) {
      const { name } = describe(nameOf(id));
      write(name, value);
      return describe(name);
    },
    list: () => [...declared.keys()].map(describe),
    remove(id) {
      const { name } = describe(nameOf(id));
      declared.delete(name);
      delete values[name];
      writeFileDurably(path, JSON.stringify(values));
    },
  };
};
