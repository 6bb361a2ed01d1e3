import type { AuthorizationRequest, Identities } from '../engines/iam/types.ts';
import { ServiceFault } from '../engines/service-fault.ts';

export interface Call {
  /**
   * The name of the caller's role session: for a function, the function's name. `operator` for a caller without a role.
   */
  readonly caller: string;
  /** Throws `AccessDeniedException` unless the caller's policies allow the action on all of the resources. */
  allow(
    action: string,
    resources: string | readonly string[],
    context?: AuthorizationRequest['context'],
  ): void;
}

export const callBy = (
  accessKeyId: string,
  identities: Pick<Identities, 'authorize' | 'sessionName'>,
): Call => ({
  caller: identities.sessionName(accessKeyId) ?? 'operator',
  allow(action, resources, context) {
    const decision = identities.authorize({
      accessKeyId,
      action,
      resources: typeof resources === 'string' ? [resources] : resources,
      ...(context && { context }),
    });
    if (!decision.allowed) {
      throw new ServiceFault({ code: 'AccessDeniedException', message: decision.message });
    }
  },
});
