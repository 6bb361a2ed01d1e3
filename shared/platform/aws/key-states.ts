import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import type { PartState } from '../check-stage.ts';
import { clientConfig } from './client.ts';

export const keyStates = ({ keyArns }: { readonly keyArns: readonly string[] }) => {
  const kms = new KMSClient(clientConfig({ maxAttempts: 3, requestTimeoutMilliseconds: 2_500 }));
  return (): Promise<PartState[]> =>
    Promise.all(
      keyArns.map(async (KeyId) => {
        const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId }));
        const state = KeyMetadata?.KeyState ?? '';
        return { part: KeyId, state, isOn: state === 'Enabled' };
      }),
    );
};
