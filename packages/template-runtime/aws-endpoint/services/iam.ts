import { accountId } from '../../engines/account.ts';
import type { Identities } from '../../engines/iam/types.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import type { Call } from '../call.ts';
import { queryService } from '../query-protocol.ts';

const required = (parameters: URLSearchParams, name: string): string => {
  const value = parameters.get(name);
  if (value) return value;
  throw new ServiceFault({ code: 'ValidationError', message: `${name} is missing.` });
};

/** The inline policies of roles. */
export const iamService = (identities: Pick<Identities, 'attachPolicy' | 'detachPolicy'>) => {
  const policyOf = (action: string, parameters: URLSearchParams, call: Call) => {
    const roleName = required(parameters, 'RoleName');
    call.allow(action, `arn:aws:iam::${accountId}:role/${roleName}`);
    return { roleName, policyName: required(parameters, 'PolicyName') };
  };
  return queryService({
    namespace: 'https://iam.amazonaws.com/doc/2010-05-08/',
    deniedCode: 'AccessDenied',
    operations: {
      PutRolePolicy: (parameters, call) => {
        const { roleName, policyName } = policyOf('iam:PutRolePolicy', parameters, call);
        identities.attachPolicy(roleName, JSON.parse(required(parameters, 'PolicyDocument')), policyName);
        return undefined;
      },
      DeleteRolePolicy: (parameters, call) => {
        const { roleName, policyName } = policyOf('iam:DeleteRolePolicy', parameters, call);
        identities.detachPolicy(roleName, policyName);
        return undefined;
      },
    },
  });
};
