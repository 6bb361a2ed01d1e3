import { accountOfKey } from '../engines/account.ts';
import type { AuthorizationRequest, Identities } from '../engines/iam/types.ts';
import { ServiceFault } from '../engines/service-fault.ts';
import type { AwsRequest } from './request.ts';

export interface Call {
  /**
   * The name of the caller's role session: for a function, the function's name. `operator` for a caller without a role.
   */
  readonly caller: string;
  /** The caller's account. */
  readonly account: string;
  /** The Region that the caller calls. Every Region is answered by the same engines. */
  readonly region: string;
  /**
   * Throws `AccessDeniedException` unless the caller's policies allow the action on all of the resources. With a
   * `resourcePolicy`, the policy of the resource decides too.
   */
  allow(
    action: string,
    resources: string | readonly string[],
    context?: AuthorizationRequest['context'],
    resourcePolicy?: unknown,
  ): void;
  /** Whether `allow` would not throw. Asking is not counted as a call. */
  wouldAllow(...call: Parameters<Call['allow']>): boolean;
}

/** The condition keys for the tags of a resource. */
export const tagContext = (tags: Readonly<Record<string, string>> = {}): Record<string, string[]> =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:ResourceTag/${key}`, [value]]));

export const callBy = (
  { accessKeyId, signedRegion }: Pick<AwsRequest, 'accessKeyId' | 'signedRegion'>,
  identities: Pick<Identities, 'authorize' | 'sessionName' | 'wouldAuthorize'>,
): Call => {
  const requestOf = (...call: Parameters<Call['allow']>): AuthorizationRequest => {
    const [action, resources, context, resourcePolicy] = call;
    return {
      accessKeyId,
      action,
      resources: typeof resources === 'string' ? [resources] : resources,
      ...(context && { context }),
      ...(resourcePolicy !== undefined && { resourcePolicy }),
    };
  };
  return {
    caller: identities.sessionName(accessKeyId) ?? 'operator',
    account: accountOfKey(accessKeyId),
    region: signedRegion,
    allow(...call) {
      const decision = identities.authorize(requestOf(...call));
      if (!decision.allowed) {
        throw new ServiceFault({ code: 'AccessDeniedException', message: decision.message });
      }
    },
    wouldAllow: (...call) => identities.wouldAuthorize(requestOf(...call)).allowed,
  };
};
