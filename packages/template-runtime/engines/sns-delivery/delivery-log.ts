import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DeliveryLog } from './types.ts';

/** Appends one JSON line to the file for each delivery attempt. */
export const deliveryLogFile = (path: string): DeliveryLog => {
  mkdirSync(dirname(path), { recursive: true });
  return (entry) => appendFileSync(path, `${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
};
