import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';

const code = readFileSync(new URL('../../../docs/viewer-request.js', import.meta.url), 'utf8');
const context = createContext({});
runInContext(code, context);

/**
 * Runs the CloudFront Function that the operator guide attaches to the streams' distribution. Returns the status with
 * which the function refuses this path, or `undefined`.
 */
export const viewerRequestRefusal = (path: string): number | undefined => {
  const event = JSON.stringify({ request: { method: 'GET', uri: path } });
  const { statusCode } = runInContext(`handler(${event})`, context);
  return statusCode;
};
