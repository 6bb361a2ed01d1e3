import { InvalidArgumentError } from 'commander';
import { parseGwei } from 'viem/utils';
import { applicationSchema } from '../../../shared/platform/applications/application.ts';
import { parseIncoming } from '../../../shared/platform/parsing/incoming.ts';
import { isOneLine, isVisible } from '../../../shared/platform/parsing/texts.ts';

const wholeNumber = (text: string, least: number, most = Number.MAX_SAFE_INTEGER): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} up` : `${least} to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number from ${range}.`);
  }
  return value;
};

/** Option parsers for commander. */
export const positiveInteger = (text: string): number => wholeNumber(text, 1);
/** Minutes of at most one day. */
export const minutesOfADay = (text: string): number => wholeNumber(text, 1, 1_440);
export const naturalNumber = (text: string): number => wholeNumber(text, 0);

const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Parses a time such as `90s`, `10m`, `2h` or `1d` into milliseconds. */
export const duration = (text: string): number => {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const seconds = unit === undefined ? undefined : secondsIn[unit];
  if (seconds === undefined) throw new InvalidArgumentError('It must be a time such as 90s, 10m, 2h or 1d.');
  return Number(count) * seconds * 1_000;
};

const applicationName = applicationSchema.shape.name
  .refine(isOneLine, { error: 'Must be a single line' })
  .refine(isVisible, { error: 'Must contain a visible character' });

/** Parses the name of an application, which people read. */
export const nameOfApplication = (text: string): string => {
  const parsed = parseIncoming(applicationName, text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(`${parsed.mistakes[0]?.message}.`);
};

/** The option of commands that otherwise show only failures and a summary. */
export const verboseOption = ['--verbose', 'show what succeeded as well'] as const;

/** Collects an option that may be given several times. */
export const repeated = (text: string, before: readonly string[] = []): string[] => [...before, text];

/** An age in its two largest units, such as `2h 5m`. */
export const ageText = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days}d ${hours}h`;
  if (hours > 0) return `${hours}h ${minutes}m`;
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`;
};

/** Parses an amount in gwei, such as `120` or `120.5`, into wei. */
export const gwei = (text: string): bigint => {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new InvalidArgumentError('It must be a number of gwei.');
  return parseGwei(text);
};
