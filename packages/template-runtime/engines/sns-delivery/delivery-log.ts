import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DeliveryLog } from './types.ts';

/** What became of each attempt, a JSON line each, as SNS's delivery-status log has it in CloudWatch. */
export const deliveryLogFile = (path: string): DeliveryLog => {
  mkdirSync(dirname(path), { recursive: true });
  return (entry) => appendFileSync(path, `${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
};
