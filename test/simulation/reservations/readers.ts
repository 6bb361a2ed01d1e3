/** The calls that tell what happened to a token, with their own wiring. */

import { getOwnTokenHistoryHandler } from '../../../functions/nft/list-user-tokens/get-own-token-history-handler.ts';
import {
  collectionsDependencies,
  historyDependencies,
  publicMetadataDependencies,
  receiversDependencies,
} from '../../../functions/nft/reading-dependencies.ts';
import { getTokenHistoryHandler } from '../../../functions/nft/show-collections/get-token-history-handler.ts';
import { callingApplications } from '../../../functions/platform/dependencies.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { handlerLifetimeMilliseconds } from '../../../shared/platform/time/handler-lifetime.ts';
import { type FunctionSurroundings, simulatedFunction } from '../functions.ts';
import { stage } from '../service.ts';
import type { Store } from '../store.ts';
import { surroundingsOf } from '../surroundings.ts';
import type { History } from './told.ts';

type Token = Pick<Nft, 'applicationId' | 'contract' | 'tokenId'>;

const requestOf = ({ contract, tokenId }: Token, caller: object) => ({
  path: { contract_address: contract, id: tokenId },
  header: () => undefined,
  ...caller,
});

export type Readers = ReturnType<typeof createReaders>;

export const createReaders = (options: FunctionSurroundings & { readonly store: Store }) => {
  const calls = { timeoutMilliseconds: handlerLifetimeMilliseconds };
  const ofCustomer = simulatedFunction(options, {
    ...calls,
    name: 'history',
    make: (process) => {
      const { client } = surroundingsOf(process, options);
      return getTokenHistoryHandler(collectionsDependencies(stage as never, client));
    },
  });
  const ofUser = simulatedFunction(options, {
    ...calls,
    name: 'own history',
    make: (process) => {
      const { client, clock } = surroundingsOf(process, options);
      return getOwnTokenHistoryHandler({
        ...receiversDependencies(stage, client),
        ...publicMetadataDependencies(stage, client),
        ...historyDependencies(stage, client),
        applications: callingApplications(stage, client, clock),
        verifyAccessToken: async (header = '') => {
          const [sub = '', clientId] = header.split(' ');
          return { sub, clientId };
        },
      });
    },
  });
  return {
    ofCustomer: async (task: string, token: Token): Promise<History> => {
      const request = requestOf(token, { apiKeyId: `key-${token.applicationId}` });
      const { body } = await ofCustomer.invoke(task, (handler) => handler(request as never));
      return body as History;
    },
    /** A user's own part. `undefined` if the token never was the user's. */
    ofUser: async (
      task: string,
      { userSub, ...token }: Token & { readonly userSub: string },
    ): Promise<History | undefined> => {
      const authorization = `${userSub} client-${token.applicationId}`;
      const request = requestOf(token, { header: () => authorization });
      try {
        const { body } = await ofUser.invoke(task, (handler) => handler(request as never));
        return body as History;
      } catch (error) {
        if ((error as { readonly code?: string }).code !== 'NFT_NOT_FOUND') throw error;
        return undefined;
      }
    },
  };
};
