import { addressSchema } from '../../../shared/nft/hex.ts';
import { contractAnswer, nftAnswer } from '../../../shared/nft/http/answers.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import type { Nfts } from '../../../shared/nft/ports/nfts.ts';
import { isChainMessage, type Message } from '../../../shared/notifications/message.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { UserNotFoundError } from '../../../shared/users/errors.ts';
import { userDataAnswer } from '../../../shared/users/http/user-data.ts';
import { type ReadUserDataDependencies, readUserData } from '../../../shared/users/read-user-data.ts';

export interface ReadSubjectDependencies extends ReadUserDataDependencies {
  readonly contracts: Pick<Contracts, 'find'>;
  readonly nfts: Pick<Nfts, 'find'>;
}

/**
 * Reads the user data, contract or token that a message is about, as the API would return it to the application.
 * Returns `undefined` for a test message, and if the subject does not exist.
 */
export const readSubject = async (
  dependencies: ReadSubjectDependencies,
  { application, message }: { readonly application: Application; readonly message: Message },
): Promise<object | undefined> => {
  if (!isChainMessage(message)) {
    if (message.operationType === 'test') return undefined;
    try {
      const { applicationUserSub } = message;
      return userDataAnswer(await readUserData(dependencies, { application, applicationUserSub }));
    } catch (error) {
      if (error instanceof UserNotFoundError) return undefined;
      throw error;
    }
  }
  const address = addressSchema.parse(message.contractAddress.toLowerCase());
  const { tokenId } = message;
  if (tokenId === undefined) {
    const contract = await dependencies.contracts.find({ application: application.id, address });
    return contract && contractAnswer(contract);
  }
  const nft = await dependencies.nfts.find({ application: application.id, contract: address, tokenId });
  return nft && nftAnswer(nft);
};
