import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DeliveryLog } from './types.ts';

/** Writes a JSON line for each attempt, in the form of SNS's delivery-status log in CloudWatch. */
export const deliveryLogFile = (path: string): DeliveryLog => {
  mkdirSync(dirname(path), { recursive: true });
  return (entry) => appendFileSync(path, `${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
};
