import { createHash } from 'node:crypto';
import type { DeployContext } from './resource-type.ts';

type Named = Pick<DeployContext, 'stackName' | 'logicalId'>;

/** Returns a name that is the same at every start. A name that is too long for the service is shortened. */
export const physicalName = ({ stackName, logicalId }: Named, maximumLength: number): string => {
  const name = `${stackName}-${logicalId}`;
  return name.length <= maximumLength
    ? name
    : `${name.slice(0, maximumLength - 9)}-${digest(name).slice(0, 8)}`;
};

/** Ten lower-case letters and digits, as API Gateway's identifiers are. */
export const physicalId = ({ stackName, logicalId }: Named): string =>
  BigInt(`0x${digest(`${stackName}-${logicalId}`)}`)
    .toString(36)
    .slice(0, 10);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
