import * as z from 'zod';
import type { Message } from '../messages/message.ts';
import { messageIn, wireMessage } from '../messages/wire-message.ts';
import { recordLifetimeMilliseconds } from '../record/record.ts';

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A message as items have it. */
export const messageText = (message: Message): string => JSON.stringify(wireMessage(message));

/** Fails for a message that only a later release knows. */
export const messageTextSchema = z.string().transform((text, context) => {
  const message = messageIn(jsonIn(text));
  if (message !== undefined) return message;
  context.issues.push({ code: 'custom', message: 'is not a notification message', input: text });
  return z.NEVER;
});

/** The time to live of what is recorded at this time, in seconds since the epoch. */
export const expiry = (milliseconds: number): number =>
  Math.ceil((milliseconds + recordLifetimeMilliseconds) / 1_000);
