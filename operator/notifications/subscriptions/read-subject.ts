import { addressSchema } from '../../../shared/chain/hex.ts';
import { contractAnswer, nftAnswer } from '../../../shared/nft/http/answers.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import type { Nfts } from '../../../shared/nft/ports/nfts.ts';
import { byForm, type ChainMessage, type Message } from '../../../shared/notifications/messages/message.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { UserNotFoundError } from '../../../shared/users/errors.ts';
import { userDataAnswer } from '../../../shared/users/http/answers.ts';
import { type ReadUserDataDependencies, readUserData } from '../../../shared/users/read-user-data.ts';

export interface ReadSubjectDependencies extends ReadUserDataDependencies {
  readonly contracts: Pick<Contracts, 'find'>;
  readonly nfts: Pick<Nfts, 'find'>;
}

const readChange = async (
  { contracts, nfts }: ReadSubjectDependencies,
  application: Application,
  { contractAddress, tokenId }: ChainMessage,
): Promise<object | undefined> => {
  const address = addressSchema.parse(contractAddress.toLowerCase());
  if (tokenId === undefined) {
    const contract = await contracts.find({ applicationId: application.id, address });
    return contract && contractAnswer(contract);
  }
  const nft = await nfts.find({ applicationId: application.id, contract: address, tokenId });
  return nft && nftAnswer(nft);
};

/**
 * Reads the user data, contract or token that a message is about, as the API would return it to the application.
 * Returns `undefined` if the subject does not exist, for a test message, and for a message about an event (what a call
 * shows of an event depends on the viewer).
 */
export const readSubject = (
  dependencies: ReadSubjectDependencies,
  { application, message }: { readonly application: Application; readonly message: Message },
): Promise<object | undefined> =>
  byForm(message, {
    user: async ({ operationType, applicationUserSub }) => {
      if (operationType === 'test') return undefined;
      try {
        return userDataAnswer(await readUserData(dependencies, { application, applicationUserSub }));
      } catch (error) {
        if (error instanceof UserNotFoundError) return undefined;
        throw error;
      }
    },
    chain: (about) => readChange(dependencies, application, about),
    event: async () => undefined,
  });
